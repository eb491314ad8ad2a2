/* scores.js - the charts whose height is the score: convergence, and one a parameter. */
wickReport.scores = (() => {
    const {study, trials, parameters, bestIndex, lookOf, failed, total, number, plural, seconds,
        valueText, scoreText, noScore, tipText, element, byId} = wickReport.data;
    const {all, Chart, theme, dots, nearest, ring} = wickReport.chart;
    const settings = {byTime: false, log: false};

    const done = [];
    for (let i = 0; i < trials.count; i++)
        if (!Number.isNaN(trials.score[i]))
            done.push(i);
    const sorted = trials.score.filter((score) => !Number.isNaN(score)).sort();
    const canLog = sorted.length > 0 && sorted[0] > 0;
    const quantile = (q) => sorted[Math.round(q * (sorted.length - 1))];
    const recordsByTrial = records(done);
    const recordsByTime = records(done.slice().sort((a, b) => trials.ended[a] - trials.ended[b]));

    /* Of a list of trials in some order, those that were better than all before. */
    function records(order) {
        const out = [];
        let best = study.maximize ? -Infinity : Infinity;
        for (const i of order) {
            if (study.maximize ? trials.score[i] <= best : trials.score[i] >= best)
                continue;
            best = trials.score[i];
            out.push(i);
        }
        return out;
    }

    /* The worst of a search may lie far out; then a linear axis ends before them. */
    function scoreAxis() {
        let low = sorted[0], high = sorted[sorted.length - 1];
        if (settings.log) {
            const margin = Math.max((high / low) ** 0.04, 1.01);
            return {kind: 'log', low: low / margin, high: high * margin, title: study.score};
        }
        if (!study.maximize && high - low > 3 * (quantile(0.95) - low))
            high = quantile(0.95);
        if (study.maximize && high - low > 3 * (high - quantile(0.05)))
            low = quantile(0.05);
        const margin = 0.05 * (high - low || Math.abs(high) || 1);
        return {kind: 'linear', low: low - margin, high: high + margin, title: study.score};
    }

    /* What lies outside the axis is drawn at its edge. */
    function scorePixel(chart, i) {
        return Math.min(chart.frame.bottom, Math.max(chart.frame.top, chart.y(trials.score[i])));
    }

    function paintDots(chart, list, place) {
        const xs = new Float32Array(list.length), ys = new Float32Array(list.length);
        for (let k = 0; k < list.length; k++) {
            xs[k] = chart.x(place(list[k]));
            ys[k] = scorePixel(chart, list[k]);
        }
        Object.assign(chart, {list, xs, ys});
        dots(chart, xs, ys, theme.done);
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
        let y = scorePixel(chart, list[0]);
        context.beginPath();
        context.moveTo(chart.x(place(list[0])), y);
        for (const i of list) {
            context.lineTo(chart.x(place(i)), y);
            y = scorePixel(chart, i);
            context.lineTo(chart.x(place(i)), y);
        }
        context.lineTo(frame.right, y);
        context.strokeStyle = theme.ink;
        context.lineWidth = 2;
        context.lineJoin = 'round';
        context.stroke();
        if (bestIndex >= 0)
            ring(chart, chart.x(place(bestIndex)), scorePixel(chart, bestIndex));
    }

    /* Trials that ended without a score stand as ticks at the foot, higher where they are many. */
    function paintFoot(chart) {
        const {context, frame} = chart;
        for (const look of ['stopped', 'failed']) {
            const ticks = new Map();
            for (let i = 0; i < trials.count; i++)
                if (lookOf[trials.state[i]] === look) {
                    const x = Math.round(chart.x(place(i)));
                    ticks.set(x, (ticks.get(x) || 0) + 1);
                }
            const most = Math.max(1, ...ticks.values());
            context.fillStyle = theme[look];
            for (const [x, n] of ticks)
                context.fillRect(x, frame.bottom - 10 * n / most, 1.5, 10 * n / most);
        }
    }

    function convergenceAxis() {
        if (settings.byTime)
            return {kind: 'time', low: 0, high: study.span || 1, title: 'time since the start'};
        return {kind: 'linear', low: 0, high: Math.max(1, total), whole: true, title: 'trial'};
    }

    function convergenceText() {
        const first = recordsByTime[0], last = recordsByTime[recordsByTime.length - 1];
        const improved = recordsByTime.length - 1;
        const foot = failed > 0 ? ', a tick at the foot is a trial without a score' : '';
        return `The first score was ${number(trials.score[first])}. The best, ` +
            `${scoreText(last)}, came with trial ${trials.id[last]} after ` +
            `${seconds(trials.ended[last])}${improved > 0 ? ', in ' : ''}` +
            `${improved > 0 ? plural(improved, 'improvement') : ''}. Each dot is a trial, the ` +
            `line is the best so far${foot}.`;
    }

    /* Buttons of which one is pressed. */
    function segments(label, choices, chosen, choose) {
        const buttons = choices.map(([name, value, disabled]) => {
            const button = element('button', {class: 'push', type: 'button', disabled,
                'aria-pressed': String(value === chosen)}, name);
            button.addEventListener('click', () => {
                for (const other of buttons)
                    other.setAttribute('aria-pressed', String(other === button));
                choose(value);
            });
            return button;
        });
        return element('span', {class: 'group', role: 'group', 'aria-label': label},
            element('span', {}, label), element('span', {class: 'segments'}, ...buttons));
    }

    function set(name, value) {
        settings[name] = value;
        for (const chart of all)
            if (chart.parts.y === scoreAxis && chart.frame)
                chart.draw();
    }

    function fillConvergence() {
        if (done.length === 0) {
            byId('convergence-chart').hidden = true;
            byId('convergence-text').textContent = noScore;
            return;
        }
        settings.log = canLog && quantile(0.9) / sorted[0] > 30;
        byId('convergence-controls').append(
            segments('Along', [['Trials', false], ['Time', true]], false,
                (value) => set('byTime', value)),
            segments('Score', [['Linear', false], ['Log', true, !canLog]], settings.log,
                (value) => set('log', value)));
        const chart = new Chart(byId('convergence-chart'), {
            height: () => (innerWidth < 720 ? 280 : 380), x: convergenceAxis, y: scoreAxis,
            paint(self) {
                paintDots(self, done, place);
                paintFoot(self);
                paintBestLine(self);
            },
            find: findDot,
        });
        chart.describe('convergence-text', convergenceText());
    }

    /* ---- one chart a parameter ---- */

    /* In [-0.5, 0.5), the same for a trial each time. */
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

    /* Columns of a choice, and whole numbers that are few, are spread so that dots do not hide. */
    function spread(parameter) {
        if (parameter.values)
            return 0.6;
        const few = parameter.high - parameter.low < 40;
        return parameter.kind === 'int' && !parameter.log && few ? 0.4 : 0;
    }

    function parameterText(parameter, best) {
        const kind = parameter.values ? `${parameter.values.length} values` :
            `${number(parameter.low)} to ${number(parameter.high)}${parameter.log ? ', log' : ''}`;
        return {kind, label: `${study.score} against ${parameter.name} (${kind})` +
            (best ? `; the best trial has ${best}.` : '.')};
    }

    function parameterChart(parameter, p) {
        const column = trials.parameters[p];
        const active = done.filter((i) => !Number.isNaN(column[i]));
        const wide = spread(parameter);
        const at = (i) => column[i] + (wide > 0 ? wide * jitter(i) : 0);
        const text = parameterText(parameter, bestIndex >= 0 ? valueText(p, bestIndex) : '');
        const canvas = element('canvas', {role: 'img', 'aria-label': text.label});
        byId('parameters-body').append(element('figure', {},
            element('h3', {}, parameter.name, ' ', element('small', {}, text.kind)), canvas));
        return new Chart(canvas, {
            height: () => 220, x: () => parameterAxis(parameter), y: scoreAxis,
            paint(self) {
                paintDots(self, active, at);
                if (bestIndex >= 0 && !Number.isNaN(column[bestIndex]))
                    ring(self, self.x(at(bestIndex)), scorePixel(self, bestIndex));
            },
            find: findDot,
        });
    }

    function fillParameters() {
        const varied = parameters.filter((parameter, p) => trials.parameters[p]);
        byId('parameters-text').textContent = varied.length === 0 ? 'No parameter varies.' :
            done.length === 0 ? noScore :
            'Each dot is a trial; the ring is the best one. Trials in which a parameter is not ' +
            'active are left out of its chart. Click a dot for the details of its trial.';
        if (done.length > 0)
            varied.forEach((parameter) => parameterChart(parameter, parameters.indexOf(parameter)));
    }

    return {fillConvergence, fillParameters};
})();
