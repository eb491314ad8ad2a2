/* front.js - several objectives: each pair of scores against each other, with the Pareto front. */
wickReport.front = (() => {
    const {trials, objectives, isValid, count, plural, tipText, element, byId} = wickReport.data;
    const {Chart, theme, dots, nearest, ring} = wickReport.chart;

    const pairsShown = 10;
    const shown = [], onFront = [], broken = [];
    for (let i = 0; i < trials.count && objectives.length > 0; i++) {
        if (Number.isNaN(trials.score[i]))
            continue;
        shown.push(i);
        if (trials.front[i])
            onFront.push(i);
        if (!isValid(i))
            broken.push(i);
    }

    /*
     * An axis over the scores of one objective. The worst twentieth may lie outside, but nothing of
     * the front. It is logarithmic if the scores span orders of magnitude.
     */
    function axisOf(k) {
        const column = trials.scores[k], {name, maximize} = objectives[k];
        const sorted = Float64Array.from(shown, (i) => column[i]).sort();
        const at = (q) => sorted[Math.round(q * (sorted.length - 1))];
        let low = maximize ? at(0.05) : at(0), high = maximize ? at(1) : at(0.95);
        for (const i of onFront) {
            low = Math.min(low, column[i]);
            high = Math.max(high, column[i]);
        }
        const title = `${name}, ${maximize ? 'larger' : 'smaller'} is better`;
        if (low > 0 && high / low > 30) {
            const margin = (high / low) ** 0.04;
            return {kind: 'log', low: low / margin, high: high * margin, title};
        }
        const margin = 0.05 * (high - low || Math.abs(high) || 1);
        low -= margin;
        high += margin;
        return {kind: 'linear', low, high, title};
    }

    /* Between two trials of the front, the line has a corner, which is worse than both. */
    function paintLine(chart, a, b) {
        const {context} = chart;
        const order = onFront.slice().sort((i, j) => trials.scores[a][i] - trials.scores[a][j]);
        const first = !objectives[a].maximize;
        context.beginPath();
        order.forEach((i, k) => {
            const x = chart.x(trials.scores[a][i]), y = chart.y(trials.scores[b][i]);
            if (k > 0) {
                const before = order[k - 1];
                context.lineTo(first ? x : chart.x(trials.scores[a][before]),
                    first ? chart.y(trials.scores[b][before]) : y);
            }
            context.lineTo(x, y);
        });
        context.strokeStyle = theme.ink;
        context.lineWidth = 2;
        context.lineJoin = 'round';
        context.stroke();
    }

    function paint(chart, a, b) {
        const place = (list) => [Float32Array.from(list, (i) => chart.x(trials.scores[a][i])),
            Float32Array.from(list, (i) => chart.y(trials.scores[b][i]))];
        const [xs, ys] = place(shown);
        Object.assign(chart, {xs, ys});
        dots(chart, ...place(shown.filter(isValid)), theme.done);
        if (broken.length > 0)
            dots(chart, ...place(broken), theme.failed);
        if (objectives.length === 2)
            paintLine(chart, a, b);
        for (const i of onFront)
            ring(chart, chart.x(trials.scores[a][i]), chart.y(trials.scores[b][i]));
    }

    function pairChart(body, a, b) {
        const names = `${objectives[b].name} against ${objectives[a].name}`;
        const canvas = element('canvas', {role: 'img', id: `front-chart-${a}-${b}`,
            'aria-label': `${names}; ${plural(onFront.length, 'trial')} on the Pareto front.`});
        body.append(element('figure', {}, element('h3', {}, names), canvas));
        return new Chart(canvas, {
            height: () => (objectives.length === 2 ? 380 : 260),
            x: () => axisOf(a), y: () => axisOf(b),
            paint: (chart) => paint(chart, a, b),
            find(chart, x, y) {
                const at = nearest(chart.xs, chart.ys, x, y);
                return at < 0 ? null : {text: tipText(shown[at]), trial: shown[at]};
            },
        });
    }

    function fill() {
        if (objectives.length === 0 || shown.length === 0)
            return;
        const body = element('div', {class: objectives.length > 2 && 'multiples'});
        const text = `Each dot is a trial. The rings mark the ${count(onFront.length)} on the ` +
            'Pareto front: no other trial is better in one score and as good in the rest.' +
            (broken.length > 0 ? ` ${plural(broken.length, 'trial')} in the colour of failures ` +
            `${broken.length === 1 ? 'breaks' : 'break'} a constraint.` : '');
        byId('top').after(element('section', {id: 'front', 'aria-labelledby': 'front-title'},
            element('h2', {id: 'front-title'}, 'Pareto front'),
            element('p', {class: 'note'}, text), body));
        let pairs = 0;
        for (let a = 0; a < objectives.length; a++)
            for (let b = a + 1; b < objectives.length && pairs < pairsShown; b++, pairs++)
                pairChart(body, a, b);
    }

    return {fill, onFront};
})();
