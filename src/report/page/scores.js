/* scores.js - the charts whose vertical axis is the score: convergence, and one per parameter. */
wickReport.scores = (() => {
    const {study, trials, parameters, importance, recordsOf, bestIndex, lookOf, total, count,
        number, plural, seconds, valueText, scoreText, noScore, tipText, element,
        byId} = wickReport.data;
    const {all, Chart, theme, dots, triangles, nearest, ring} = wickReport.chart;
    const {canLog, prefersLog, range, trend} = wickReport.statistics;
    const {segments} = wickReport.parts;

    const done = [];
    for (let i = 0; i < trials.count; i++)
        if (!Number.isNaN(trials.score[i]))
            done.push(i);
    const recordsByTrial = recordsOf(done);
    const recordsByTime = recordsOf(done.slice().sort((a, b) => trials.ended[a] - trials.ended[b]));

    /* ---- settings, which the browser keeps for this study ---- */

    const settings = {byTime: false, log: done.length > 0 && prefersLog()};
    const switches = {byTime: [], log: []};
    const storageKey = `wick ${study.folder} ${study.created}`;

    /* A browser may forbid a page from a file to store anything. */
    function loadSettings() {
        try {
            const kept = JSON.parse(localStorage.getItem(storageKey)) || {};
            for (const name of Object.keys(settings))
                if (typeof kept[name] === 'boolean')
                    settings[name] = kept[name];
        } catch { /* keep the defaults */ }
        settings.log = settings.log && canLog;
    }

    function set(name, value) {
        settings[name] = value;
        switches[name].forEach((one) => one.show(value));
        try {
            localStorage.setItem(storageKey, JSON.stringify(settings));
        } catch { /* the setting lasts until the page is closed */ }
        for (const chart of all)
            if (chart.parts.isOfScores && chart.frame)
                chart.draw();
    }

    function addSwitch(place, name, label, choices) {
        const one = segments(label, choices, (value) => set(name, value));
        switches[name].push(one);
        one.show(settings[name]);
        byId(place).append(one.node);
    }

    const addScaleSwitch = (place) =>
        addSwitch(place, 'log', 'Score', [['Linear', false], ['Log', true, !canLog]]);

    /* ---- the axis of the scores ---- */

    /* Trials without a score have a strip of their own beyond the bad end. */
    const unscored = {failed: [], stopped: []};
    for (let i = 0; i < trials.count; i++)
        if (unscored[lookOf[trials.state[i]]] && Number.isNaN(trials.score[i]))
            unscored[lookOf[trials.state[i]]].push(i);
    const without = ['failed', 'stopped'].filter((look) => unscored[look].length > 0);
    const strip = without.length > 0 ? 18 : 0;
    const ranges = new Map();

    function rangeNow() {
        if (!ranges.has(settings.log))
            ranges.set(settings.log, range(settings.log));
        return ranges.get(settings.log);
    }

    const isOutside = (score, worst) => (study.maximize ? score < worst : score > worst);

    /* The axis for a chart of the trials in `list`. */
    function scoreAxis(list) {
        const {best, worst, outside: ofAll} = rangeNow();
        const outside = ofAll === 0 ? 0 :
            list.reduce((n, i) => n + isOutside(trials.score[i], worst), 0);
        let low = Math.min(best, worst), high = Math.max(best, worst);
        if (settings.log) {
            const margin = Math.max((high / low) ** 0.04, 1.01);
            low /= margin;
            high *= margin;
        } else {
            const margin = 0.05 * (high - low || Math.abs(high) || 1);
            low -= margin;
            high += margin;
        }
        return {kind: settings.log ? 'log' : 'linear', low, high, title: study.score,
            above: study.maximize ? 0 : strip, below: study.maximize ? strip : 0,
            note: outside === 0 ? '' :
                study.maximize ? `▼ ${count(outside)} below` : `▲ ${count(outside)} above`};
    }

    /* The pixel of the scale's bad end. */
    const edge = ({frame}) => (study.maximize ? frame.bottom - strip : frame.top + strip);

    /* What lies outside the axis is drawn at its edge. */
    function scorePixel(chart, score) {
        const y = chart.y(score);
        return study.maximize ? Math.min(edge(chart), y) : Math.max(edge(chart), y);
    }

    function paintDots(chart, list, place) {
        const xs = new Float32Array(list.length), ys = new Float32Array(list.length);
        const {worst, outside} = rangeNow();
        const far = [], shown = {done: [[], []], stopped: [[], []]};
        for (let k = 0; k < list.length; k++) {
            const score = trials.score[list[k]];
            xs[k] = chart.x(place(list[k]));
            ys[k] = scorePixel(chart, score);
            if (outside > 0 && isOutside(score, worst)) {
                far.push(xs[k]);
                continue;
            }
            const [shownX, shownY] = shown[lookOf[trials.state[list[k]]]] || shown.done;
            shownX.push(xs[k]);
            shownY.push(ys[k]);
        }
        Object.assign(chart, {list, xs, ys});
        for (const look of ['stopped', 'done']) /* stopped trials are drawn below */
            dots(chart, ...shown[look], theme[look]);
        triangles(chart, far, edge(chart) + (study.maximize ? -6 : 6), !study.maximize, theme.done);
    }

    /*
     * Trials that ended without a score are ticks in the strip. If other trials at the same place
     * have a score, the opacity of the tick is its share among them: so a region that always fails
     * stands out.
     */
    function paintStrip(chart, place) {
        const {context, frame} = chart;
        const scored = new Uint32Array(Math.ceil(chart.width) + 1);
        for (let k = 0; k < chart.xs.length; k++)
            scored[Math.round(chart.xs[k])]++;
        for (const look of without) {
            const ticks = new Map();
            for (const i of unscored[look]) {
                const x = Math.round(chart.x(place(i)));
                if (!Number.isNaN(x))
                    ticks.set(x, (ticks.get(x) || 0) + 1);
            }
            context.fillStyle = theme[look];
            for (const [x, n] of ticks) {
                context.globalAlpha = 0.2 + 0.8 * n / (n + scored[x]);
                context.fillRect(x - 0.5, study.maximize ? frame.bottom - 9 : frame.top, 1.5, 9);
            }
        }
        context.globalAlpha = 1;
    }

    function findDot(chart, x, y) {
        const at = nearest(chart.xs, chart.ys, x, y);
        return at < 0 ? null : {text: tipText(chart.list[at]), trial: chart.list[at]};
    }

    /* ---- convergence ---- */

    const place = (i) => (settings.byTime ? trials.ended[i] : trials.id[i]);

    function paintBestLine(chart) {
        const {context, frame} = chart;
        const list = settings.byTime ? recordsByTime : recordsByTrial;
        let y = scorePixel(chart, trials.score[list[0]]);
        context.beginPath();
        context.moveTo(chart.x(place(list[0])), y);
        for (const i of list) {
            context.lineTo(chart.x(place(i)), y);
            y = scorePixel(chart, trials.score[i]);
            context.lineTo(chart.x(place(i)), y);
        }
        context.lineTo(frame.right, y);
        context.strokeStyle = theme.ink;
        context.lineWidth = 2;
        context.lineJoin = 'round';
        context.stroke();
        if (bestIndex >= 0)
            ring(chart, chart.x(place(bestIndex)), scorePixel(chart, trials.score[bestIndex]));
    }

    function convergenceAxis() {
        if (settings.byTime)
            return {kind: 'time', low: 0, high: study.span || 1, title: 'time since the start'};
        return {kind: 'linear', low: 0, high: Math.max(1, total), whole: true, title: 'trial'};
    }

    const stripText = without.length === 0 ? '' :
        ` A tick at the ${study.maximize ? 'foot' : 'top'} marks a trial without a score.`;

    /* For the marks that are not dots; each is a small picture in page.css. */
    function legend(marks) {
        return element('span', {class: 'legend'}, ...marks.map(([mark, text]) =>
            element('span', {}, element('i', {class: `mark ${mark}`}), text)));
    }

    const stripMarks = without.map((look) => [`tick-${look}`, look]);

    function convergenceText() {
        const first = recordsByTime[0], last = recordsByTime[recordsByTime.length - 1];
        const improved = recordsByTime.length - 1;
        return `The first score was ${number(trials.score[first])}. The best, ` +
            `${scoreText(last)}, came with trial ${trials.id[last]} after ` +
            `${seconds(trials.ended[last])}${improved > 0 ? ', in ' : ''}` +
            `${improved > 0 ? plural(improved, 'improvement') : ''}. Each dot is a trial, the ` +
            `line is the best so far.${stripText}`;
    }

    function fillConvergence() {
        if (done.length === 0) {
            byId('convergence-chart').hidden = true;
            byId('convergence-text').textContent = noScore;
            return;
        }
        loadSettings();
        addSwitch('convergence-controls', 'byTime', 'Along', [['Trials', false], ['Time', true]]);
        addScaleSwitch('convergence-controls');
        byId('convergence-controls').append(legend([['line', 'best so far'], ...stripMarks]));
        const chart = new Chart(byId('convergence-chart'), {
            height: () => (innerWidth < 720 ? 280 : 380), x: convergenceAxis,
            isOfScores: true, y: () => scoreAxis(done),
            paint(self) {
                paintDots(self, done, place);
                paintStrip(self, place);
                paintBestLine(self);
            },
            find: findDot,
        });
        chart.describe('convergence-text', convergenceText());
    }

    /* ---- one chart per parameter ---- */

    /* In [-0.5, 0.5), and always the same for a trial. */
    const jitter = (i) => (Math.imul(trials.id[i], 0x9e3779b1) >>> 0) / 2 ** 32 - 0.5;

    function parameterAxis(parameter) {
        if (parameter.values)
            return {kind: 'linear', low: -0.5, high: parameter.values.length - 0.5,
                ticks: parameter.values.map((text, k) => [k, text])};
        const {low, high} = parameter;
        if (parameter.log) {
            const margin = (high / low) ** 0.03;
            return {kind: 'log', low: low / margin, high: high * margin};
        }
        const whole = parameter.kind === 'int';
        const margin = (whole ? 0.07 : 0.03) * (high - low) || 0.5;
        return {kind: 'linear', low: low - margin, high: high + margin, whole};
    }

    /* Dots of a choice, or of few whole numbers, are spread so that none hides another. */
    for (const parameter of parameters)
        parameter.isFew = parameter.kind === 'int' && !parameter.log &&
            parameter.high - parameter.low < 40;
    const spread = (parameter) => (parameter.values ? 0.6 : parameter.isFew ? 0.4 : 0);

    /* With fewer trials, the dots say as much. */
    const trendFrom = 200;

    function stroke(context, width, colour, dash = []) {
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.setLineDash(dash);
        context.stroke();
        context.setLineDash([]);
    }

    /* Draws the median as a line and the best as dashes; for separate values, a bar each. */
    function paintTrend(chart, groups, wide) {
        const {context} = chart;
        for (const [name, dash] of [['best', [4, 3]], ['median', []]]) {
            context.beginPath();
            groups.forEach((group, k) => {
                const y = scorePixel(chart, group[name]);
                if (wide > 0)
                    context.moveTo(chart.x(group.place - wide / 2), y);
                if (wide > 0 || k > 0)
                    context.lineTo(chart.x(group.place + wide / 2), y);
                else
                    context.moveTo(chart.x(group.place), y);
            });
            context.lineJoin = 'round';
            stroke(context, 4, theme.ground);
            stroke(context, 2, theme.ink, dash);
        }
    }

    const shares = new Map((importance[0].parameters || []).map((effect) =>
        [effect.parameter, effect.share]));

    function effectText({name}) {
        const share = shares.get(name);
        if (share === undefined)
            return '';
        return share < 0.01 ? 'explains less than 1\u00a0% alone' :
            `explains about ${Math.round(100 * share)}\u00a0% alone`;
    }

    function parameterText(parameter, best) {
        const kind = parameter.values ? plural(parameter.values.length, 'value') :
            `${number(parameter.low)} to ${number(parameter.high)}${parameter.log ? ', log' : ''}`;
        return {kind, label: `${study.score} against ${parameter.name} (${kind})` +
            (best ? `; the best trial has ${best}.` : '.')};
    }

    function parameterChart(parameter, p) {
        const column = trials.parameters[p];
        const wide = spread(parameter);
        const at = (i) => column[i] + (wide > 0 ? wide * jitter(i) : 0);
        const text = parameterText(parameter, bestIndex >= 0 ? valueText(p, bestIndex) : '');
        const canvas = element('canvas', {role: 'img', 'aria-label': text.label});
        const explains = element('p', {class: 'effect'}, effectText(parameter));
        let active = null, groups = null;
        byId('parameters-body').append(element('figure', {},
            element('h3', {}, parameter.name, ' ', element('small', {}, text.kind)), explains,
            canvas));
        /* With very many trials, this takes a while, so it is done only when the chart is drawn. */
        const prepare = () => {
            active = done.filter((i) => !Number.isNaN(column[i]));
            if (active.length >= trendFrom)
                groups = trend(parameter, column, active);
        };
        return new Chart(canvas, {
            height: () => 220, x: () => parameterAxis(parameter), isOfScores: true,
            y() {
                if (!active)
                    prepare();
                return scoreAxis(active);
            },
            paint(self) {
                paintDots(self, active, at);
                paintStrip(self, at);
                if (groups)
                    paintTrend(self, groups, wide);
                if (bestIndex >= 0 && !Number.isNaN(column[bestIndex]))
                    ring(self, self.x(at(bestIndex)),
                        scorePixel(self, trials.score[bestIndex]));
            },
            find: findDot,
        });
    }

    function parametersText() {
        const trends = done.length < trendFrom ? '' :
            ' Median and best are over trials with similar values.';
        return 'Each dot is a trial, the ring is the best one; click a dot for its details.' +
            trends + (parameters.some((parameter) => parameter.conditional) ?
            ' Trials in which a parameter is not active are left out of its chart.' : '');
    }

    function fillParameters() {
        const varied = parameters.filter((parameter, p) => trials.parameters[p]);
        byId('parameters-text').textContent = varied.length === 0 ? 'No parameter varies.' :
            done.length === 0 ? noScore : parametersText();
        if (done.length === 0 || varied.length === 0)
            return;
        const trends = done.length < trendFrom ? [] : [['line', 'median'], ['dashes', 'best']];
        addScaleSwitch('parameters-controls');
        byId('parameters-controls').append(legend([...trends, ...stripMarks]));
        varied.forEach((parameter) => parameterChart(parameter, parameters.indexOf(parameter)));
    }

    return {fillConvergence, fillParameters, parameterAxis, settings};
})();
