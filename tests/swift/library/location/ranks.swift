// Locations of ranks.
// ranks: 4
// expect: trace: 2,1,0
import location;
trace(locationFromRank(2).rank, rank2location(1).rank, location_from_rank(0).rank);
