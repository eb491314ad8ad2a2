/* curves.js - the values that trials reported while running: one line per trial. */
wickReport.curves = (() => {
    const {study, curves, trials, bestIndex, lookOf, states, counts, count, number, plural,
        indexOf, tipText, element, byId} = wickReport.data;
    const {Chart, theme, nearest, ring} = wickReport.chart;
    const {segments} = wickReport.parts;

    const lines = curves.map(({trial, steps, values}) => ({i: indexOf(trial), steps, values}))
        .filter(({i}) => i >= 0);
    const isStopped = ({i}) => lookOf[trials.state[i]] === 'stopped';
    const settings = {log: true};

    /* The first values may be far from all later ones, so a few values may lie outside the axis. */
    function range() {
        const all = lines.flatMap(({values}) => values.filter((value) => value !== null));
        all.sort((a, b) => (study.maximize ? b - a : a - b));
        const best = all[0], worst = all[Math.floor(0.98 * (all.length - 1))];
        const margin = 0.05 * (Math.abs(worst - best) || Math.abs(best) || 1);
        return {low: Math.min(best, worst) - margin, high: Math.max(best, worst) + margin};
    }

    function paintLine(chart, {i, steps, values}, colour, width) {
        const {context} = chart;
        let isOpen = false;
        context.beginPath();
        steps.forEach((step, k) => {
            if (values[k] === null) {
                isOpen = false;
                return;
            }
            const x = chart.x(step), y = chart.y(values[k]);
            context[isOpen ? 'lineTo' : 'moveTo'](x, y);
            isOpen = true;
            chart.xs.push(x);
            chart.ys.push(y);
            chart.owners.push([i, step, values[k]]);
        });
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.lineJoin = 'round';
        context.stroke();
    }

    /* Marks where a trial was stopped. */
    function paintEnd(chart, {steps, values}) {
        const {context} = chart, last = values.length - 1;
        if (values[last] === null)
            return;
        context.beginPath();
        context.arc(chart.x(steps[last]), chart.y(values[last]), 2.6, 0, 7);
        context.fillStyle = theme.stopped;
        context.fill();
    }

    function paint(chart) {
        const {context} = chart;
        Object.assign(chart, {xs: [], ys: [], owners: []});
        context.globalAlpha = Math.min(0.8, Math.max(0.25, 6 / Math.sqrt(lines.length)));
        for (const line of lines.filter(isStopped)) {
            paintLine(chart, line, theme.stopped, 1);
            paintEnd(chart, line);
        }
        for (const line of lines)
            if (!isStopped(line) && line.i !== bestIndex)
                paintLine(chart, line, theme.done, 1.2);
        context.globalAlpha = 1;
        const best = lines.find(({i}) => i === bestIndex);
        if (!best)
            return;
        const last = best.values.length - 1;
        paintLine(chart, best, theme.ink, 2);
        if (best.values[last] !== null)
            ring(chart, chart.x(best.steps[last]), chart.y(best.values[last]));
    }

    function find(chart, x, y) {
        const at = nearest(chart.xs, chart.ys, x, y);
        if (at < 0)
            return null;
        const [i, step, value] = chart.owners[at];
        return {text: `Step ${count(step)}: ${number(value)}\n${tipText(i)}`, trial: i};
    }

    function text() {
        const stopped = counts[states.indexOf('stopped')];
        const early = stopped === 0 ? '' : ` ${plural(stopped, 'trial')} ` +
            `${stopped === 1 ? 'was' : 'were'} stopped early; ${stopped === 1 ? 'its' : 'their'} ` +
            'lines are grey and end in a dot.';
        return `${study.score} of ${plural(lines.length, 'trial')} after each step. The ring marks ` +
            `the best trial.${early}`;
    }

    /* The section exists only if trials reported steps. */
    function makeSection() {
        const title = element('h2', {id: 'curves-title'}, 'Learning curves');
        byId('convergence').after(element('section', {id: 'curves',
            'aria-labelledby': 'curves-title'}, title,
        element('div', {class: 'controls', id: 'curves-controls'}),
        element('figure', {}, element('canvas', {id: 'curves-chart', role: 'img'}),
            element('figcaption', {id: 'curves-text'}))));
    }

    function fill() {
        if (lines.every(({values}) => values.every((value) => value === null)))
            return;
        makeSection();
        const {low, high} = range();
        const steps = lines.flatMap((line) => line.steps);
        const first = steps.reduce((a, b) => Math.min(a, b)), last = steps.reduce(
            (a, b) => Math.max(a, b));
        const chart = new Chart(byId('curves-chart'), {
            height: () => (innerWidth < 720 ? 280 : 380),
            x: () => ({kind: settings.log && first > 0 ? 'log' : 'linear',
                low: settings.log ? first : 0, high: Math.max(last, first + 1), whole: true,
                title: 'step'}),
            y: () => ({kind: 'linear', low, high, title: study.score}), paint, find,
        });
        const one = segments('Steps', [['Linear', false], ['Log', true, first <= 0]], (value) => {
            settings.log = value;
            one.show(value);
            chart.draw();
        });
        settings.log = first > 0;
        one.show(settings.log);
        byId('curves-controls').append(one.node);
        chart.describe('curves-text', text());
    }

    return {fill};
})();
