/* statistics.js - what the charts of scores show beside the dots: ranges and trends. */
wickReport.statistics = (() => {
    const {study, trials} = wickReport.data;

    /* Ascending, of the scores that there are. */
    const sorted = trials.score.filter((score) => !Number.isNaN(score)).sort();
    const canLog = sorted.length > 0 && sorted[0] > 0;

    const at = (list, q) => list[Math.round(q * (list.length - 1))];
    /* The score that a share q of all trials is as good as or better than. */
    const quantile = (q) => at(sorted, study.maximize ? 1 - q : q);

    /*
     * Logarithmic by default where the scores go over orders of magnitude: most of them, or, when
     * small is good, a few that would press all others flat. (When large is good, the few lie at
     * the small end, which a logarithm only stretches.)
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
     * interquartile ranges from the median, on the axis's own scale) that they would press the rest
     * together. Never more than a tenth is left out, and never on the good side.
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

    /* ---- trials in groups of near values of a parameter ---- */

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

    /* Edges between groups of about as many trials each; equal values stay together. */
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

    /* Scores of the trials, those of a group side by side: group g has [ends[g - 1], ends[g]). */
    function scoresByGroup(groups, list, counts) {
        const ends = counts.slice(), scores = new Float64Array(list.length);
        for (let g = 1; g < ends.length; g++)
            ends[g] += ends[g - 1];
        const next = ends.map((end, g) => end - counts[g]);
        for (let k = 0; k < list.length; k++)
            scores[next[groups[k]]++] = trials.score[list[k]];
        return counts.map((n, g) => scores.subarray(ends[g] - n, ends[g]).sort());
    }

    /* Between values that can be told apart on a chart, or between about equal crowds. */
    function trendEdges(parameter, column, list) {
        if (parameter.values)
            return between(parameter.values.length);
        if (parameter.isFew)
            return between(parameter.high - parameter.low + 1).map((edge) => edge + parameter.low);
        return edgesOf(column, list, Math.min(40, Math.max(6, Math.floor(list.length / 50))));
    }

    /* The way of the scores along a parameter: of each group its mean value, median and best. */
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
