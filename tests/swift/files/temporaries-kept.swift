// With SWIFT_TMP_AUTODELETE=0, temporary files stay.
// env: SWIFT_TMP=own SWIFT_TMP_AUTODELETE=0
// before: mkdir own
// after: [ "$(cat own/*.turbine)" = kept ]
import files;
file f = write("kept");
wait (f) { }
