// Floats have 8 bytes each.
// expect: trace: 24,3,-2.25
// expect: trace: 8,1,0.5
import blob;
blob b = floats2blob([1.5, -2.25, 8]);
float f[] = blob2floats(b);
trace(blob_size(b), size(f), f[1]);
float g[] = floats_from_blob(blob_from_floats([0.5]));
trace(blob_size(blob_from_floats([0.5])), size(g), g[0]);
