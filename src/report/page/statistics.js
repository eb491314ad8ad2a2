/* statistics.js - what the charts of scores show besides the dots: ranges and trends. */
wickReport.statistics = (() => {
    const {study, trials} = wickReport.data;

    /* The existing scores in ascending order. */
    const sorted = trials.score.filter((score) => !Number.isNaN(score)).sort();
    const canLog = sorted.length > 0 && sorted[0] > 0;

    const at = (list, q) => list[Math.round(q * (list.length - 1))];
    /* The score such that a share q of all trials are as good or better. */
    const quantile = (q) => at(sorted, study.maximize ? 1 - q : q);

    /*
     * True if the axis is logarithmic by default: the scores span orders of magnitude, either most
     * of them, or, if small is good, a few that would flatten all others. (If large is good, the
     * few are at the small end, which a logarithm only stretches.)
     */
    function prefersLog() {
        if (!canLog)
            return false;
        const best = quantile(0), most = quantile(0.9), worst = quantile(1);
        if (study.maximize)
            return best / quantile(0.5) > 30;
        return most / best > 30 || (worst / best > 30 && worst - best > 5 * (most - best));
    }

    /*
     * The scores that an axis shows: all of them, unless some lie so far out on the bad side (five
     * interquartile ranges from the median, on the scale of the axis) that they would flatten the
     * rest. At most a tenth is left out, and never on the good side.
     */
    function range(isLog) {
        const bend = isLog ? Math.log : (value) => value;
        const best = quantile(0), worst = quantile(1);
        const far = (score) => Math.abs(bend(score) - bend(best));
        const reach = far(quantile(0.5)) +
            5 * Math.abs(bend(quantile(0.75)) - bend(quantile(0.25)));
        const limit = Math.max(reach, far(quantile(0.9)));
        if (limit === 0 || far(worst) < 1.5 * limit)
            return {best, worst, outside: 0};
        let inside = 0;
        const isInside = (k) => far(sorted[study.maximize ? sorted.length - 1 - k : k]) <= limit;
        for (let step = 2 ** 30; step >= 1; step /= 2)
            if (inside + step <= sorted.length && isInside(inside + step - 1))
                inside += step;
        const last = study.maximize ? sorted[sorted.length - inside] : sorted[inside - 1];
        return {best, worst: last, outside: sorted.length - inside};
    }

    /* ---- groups of trials with similar values of a parameter ---- */

    /* The last group whose edge is not above the value. */
    function groupOf(edges, value) {
        let low = 0, high = edges.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (edges[middle] <= value)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /* The edges between groups of about the same number of trials; equal values stay together. */
    function edgesOf(column, list, wanted) {
        const step = Math.ceil(list.length / 4096);
        const values = new Float64Array(Math.ceil(list.length / step));
        for (let k = 0; k < values.length; k++)
            values[k] = column[list[k * step]];
        values.sort();
        const edges = [];
        for (let g = 1; g < wanted; g++) {
            const edge = values[Math.floor(g * values.length / wanted)];
            if (edge > values[0] && edge !== edges[edges.length - 1])
                edges.push(edge);
        }
        return edges;
    }

    const between = (count) => Array.from({length: count - 1}, (_, k) => k + 0.5);

    /* The scores of the trials, sorted by group: group g has [ends[g - 1], ends[g]). */
    function scoresByGroup(groups, list, counts) {
        const ends = counts.slice(), scores = new Float64Array(list.length);
        for (let g = 1; g < ends.length; g++)
            ends[g] += ends[g - 1];
        const next = ends.map((end, g) => end - counts[g]);
        for (let k = 0; k < list.length; k++)
            scores[next[groups[k]]++] = trials.score[list[k]];
        return counts.map((n, g) => scores.subarray(ends[g] - n, ends[g]).sort());
    }

    /* The edges between values that a chart can separate, or between groups of similar size. */
    function trendEdges(parameter, column, list) {
        if (parameter.values)
            return between(parameter.values.length);
        if (parameter.isFew)
            return between(parameter.high - parameter.low + 1).map((edge) => edge + parameter.low);
        return edgesOf(column, list, Math.min(40, Math.max(6, Math.floor(list.length / 50))));
    }

    /* The trend of the scores along a parameter: the mean value, median and best of each group. */
    function trend(parameter, column, list) {
        const edges = trendEdges(parameter, column, list);
        const counts = Array(edges.length + 1).fill(0), sums = counts.slice();
        const groups = new Uint16Array(list.length);
        for (let k = 0; k < list.length; k++) {
            const value = column[list[k]], group = groupOf(edges, value);
            groups[k] = group;
            counts[group]++;
            sums[group] += parameter.log ? Math.log(value) : value;
        }
        return scoresByGroup(groups, list, counts).map((scores, g) => {
            const mean = sums[g] / counts[g];
            return {place: parameter.log ? Math.exp(mean) : mean, median: at(scores, 0.5),
                best: study.maximize ? scores[scores.length - 1] : scores[0]};
        }).filter((group) => group.best !== undefined);
    }

    return {sorted, canLog, prefersLog, range, trend};
})();
