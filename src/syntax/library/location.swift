(location o) locationFromRank(int rank) "wick" "1" "locationFromRank";
(location o) rank2location(int rank) "wick" "1" "locationFromRank";
(location o) location_from_rank(int rank) "wick" "1" "locationFromRank";
(location o) randomWorker() "wick" "1" "randomWorker";
(location o) random_worker() "wick" "1" "randomWorker";
(location o) random_engine() "wick" "1" "randomWorker";
(int o) randomWorkerRank() "wick" "1" "randomWorkerRank";

(string o[]) hostmapList() "wick" "1" "hostmapList";
(string o[]) hostmap_list() "wick" "1" "hostmapList";
(location o) hostmapOne(string host) "wick" "1" "hostmapOne";
(int o) hostmapOneRank(string host) "wick" "1" "hostmapOneRank";
(location o) hostmapOneWorker(string host) "wick" "1" "hostmapOneWorker";
(location o) hostmap_lookup(string host) "wick" "1" "hostmapOneWorker";
(int o) hostmapOneWorkerRank(string host) "wick" "1" "hostmapOneWorkerRank";
(int o[]) hostmapLeaders() "wick" "1" "hostmapLeaders";
