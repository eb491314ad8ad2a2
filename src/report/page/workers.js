/*
 * workers.js - the charts over time: the trials on each worker, how many were running, busy shares.
 */
wickReport.workers = (() => {
    const {study, earlier, running, busy, grid, total, counts, lookOf, number, plural, percent,
        seconds, element, byId} = wickReport.data;
    const {Chart, theme} = wickReport.chart;

    const view = {};
    const gantt = wickReport.gantt(wickReport.data, view), {rows} = gantt;
    const limits = {time: study.span || 1, rows: rows.length || 1};
    showAll();

    function showAll() {
        Object.assign(view, {from: 0, to: limits.time, top: 0, bottom: limits.rows});
    }

    /* ---- the trials on each worker ---- */

    const timeAxis = () => ({kind: 'time', low: view.from, high: view.to,
        title: 'time since the start'});

    function barChart() {
        const height = () => Math.min(560, Math.max(110, rows.length * 26 + 70));
        return new Chart(byId('gantt-chart'), gantt.parts(height, timeAxis));
    }

    /* ---- zoom and pan ---- */

    /* Zooms [low, high] of the view around the position `at` in [0, 1]. */
    function zoom(low, high, factor, at, limit) {
        const old = view[high] - view[low];
        const span = Math.min(limit, Math.max(limit / 1e7, old * factor));
        const start = view[low] + at * (old - span);
        view[low] = Math.min(Math.max(0, start), limit - span);
        view[high] = view[low] + span;
    }

    const zoomTime = (factor, at) => zoom('from', 'to', factor, at, limits.time);

    function pan(low, high, share, limit) {
        const span = view[high] - view[low];
        view[low] = Math.min(Math.max(0, view[low] + share * span), limit - span);
        view[high] = view[low] + span;
    }

    /* The position of the pointer, as shares of the chart's frame. */
    function shareOf(chart, event) {
        const box = chart.canvas.getBoundingClientRect(), {frame} = chart;
        return {
            x: (event.clientX - box.left - frame.left) / (frame.right - frame.left),
            y: (event.clientY - box.top - frame.top) / (frame.bottom - frame.top),
        };
    }

    /* The wheel zooms only if the chart has the focus: otherwise the page must scroll. */
    function followWheel(chart, redraw) {
        chart.canvas.addEventListener('wheel', (event) => {
            if (document.activeElement !== chart.canvas && !event.ctrlKey)
                return;
            event.preventDefault();
            const at = shareOf(chart, event);
            const factor = Math.exp((event.deltaY || event.deltaX) * 0.0016);
            const inside = (value) => Math.min(1, Math.max(0, value));
            if (event.shiftKey)
                zoom('top', 'bottom', factor, inside(at.y), limits.rows);
            else
                zoomTime(factor, inside(at.x));
            redraw();
        }, {passive: false});
    }

    function followDrag(chart, redraw) {
        const {canvas} = chart;
        let last = null;
        canvas.classList.add('pannable');
        canvas.addEventListener('pointerdown', (event) => {
            last = shareOf(chart, event);
            chart.dragged = false;
        });
        window.addEventListener('pointermove', (event) => {
            if (!last)
                return;
            const at = shareOf(chart, event);
            if (!chart.dragged && Math.abs(at.x - last.x) + Math.abs(at.y - last.y) < 0.004)
                return;
            chart.dragged = true;
            pan('from', 'to', last.x - at.x, limits.time);
            pan('top', 'bottom', last.y - at.y, limits.rows);
            last = at;
            redraw();
        });
        window.addEventListener('pointerup', () => { last = null; });
        window.addEventListener('pointercancel', () => { last = null; });
    }

    function followKeys(chart, redraw) {
        const actions = {
            ArrowLeft: () => pan('from', 'to', -0.2, limits.time),
            ArrowRight: () => pan('from', 'to', 0.2, limits.time),
            '+': () => zoomTime(0.5, 0.5),
            '=': () => zoomTime(0.5, 0.5),
            '-': () => zoomTime(2, 0.5),
            '0': showAll,
        };
        chart.canvas.addEventListener('keydown', (event) => {
            if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey)
                return;
            event.preventDefault();
            actions[event.key]();
            redraw();
        });
        const button = (name, label, action) => element('button', {class: 'push', type: 'button',
            'aria-label': label, onclick() { action(); redraw(); }}, name);
        byId('gantt-controls').append(element('span', {class: 'segments'},
            button('+', 'Zoom in', actions['+']), button('−', 'Zoom out', actions['-']),
            button('All', 'Show the whole time', showAll)));
    }

    /* ---- how many were running, and busy shares ---- */

    function paintRunning(chart) {
        const {context} = chart, {step, values} = running;
        const from = Math.max(0, Math.floor(view.from / step));
        const to = Math.min(values.length, Math.ceil(view.to / step));
        context.beginPath();
        context.moveTo(chart.x(from * step), chart.y(0));
        for (let i = from; i < to; i++) {
            context.lineTo(chart.x(i * step), chart.y(values[i]));
            context.lineTo(chart.x((i + 1) * step), chart.y(values[i]));
        }
        context.lineTo(chart.x(to * step), chart.y(0));
        context.fillStyle = theme['bar-mixed'];
        context.globalAlpha = 0.35;
        context.fill();
        context.globalAlpha = 1;
        context.strokeStyle = theme.bar;
        context.lineWidth = 1.25;
        context.stroke();
    }

    function runningChart() {
        const most = running.values.reduce((a, b) => Math.max(a, b), Math.max(1, study.workers));
        return new Chart(byId('running-chart'), {
            height: () => 190, x: timeAxis, paint: paintRunning,
            y: () => ({kind: 'linear', low: 0, high: most * 1.06, whole: true,
                title: 'trials at once'}),
            find(chart, x) {
                const time = chart.x.invert(x);
                const value = running.values[Math.floor(time / running.step)];
                const text = `${number(value || 0, 3)} running after ${seconds(time)}`;
                return value === undefined ? null : {text, trial: -1};
            },
        });
    }

    function paintBusy(chart) {
        const {context} = chart;
        const room = chart.x(2) - chart.x(1);
        const width = Math.max(1, Math.min(72, room - Math.min(12, room / 4)));
        context.textAlign = 'center';
        context.textBaseline = 'bottom';
        busy.forEach((share, w) => {
            const x = chart.x(w + 1), y = chart.y(share);
            context.fillStyle = theme.bar;
            context.fillRect(x - width / 2, y, width, chart.y(0) - y);
            context.fillStyle = theme.ink;
            if (room > 40)
                context.fillText(percent(share), x, y - 3);
        });
    }

    function busyChart() {
        const names = busy.map((_, w) => [w + 1, String(w + 1)]);
        return new Chart(byId('busy-chart'), {
            height: () => 190, paint: paintBusy,
            x: () => ({kind: 'linear', low: 0.5, high: Math.max(1, busy.length) + 0.5, whole: true,
                title: 'worker', ticks: busy.length <= 24 ? names : undefined}),
            y: () => ({kind: 'linear', low: 0, high: 1.14,
                ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => [share, `${100 * share} %`])}),
            find(chart, x) {
                const w = Math.round(chart.x.invert(x));
                return busy[w - 1] === undefined ? null :
                    {text: `Worker ${w} was busy ${percent(busy[w - 1])} of the time`, trial: -1};
            },
        });
    }

    /* ---- the section ---- */

    function barText() {
        const again = earlier.part.filter(part => part !== 1).length;
        return `${plural(rows.length, 'worker')} ran ${plural(total, 'trial')} in ` +
            `${seconds(study.wall)} and ${rows.length === 1 ? 'was' : 'were'} busy ` +
            `${percent(study.busy)} of the time.` +
            (again > 0 ? ` ${plural(again, 'earlier try', 'earlier tries')} are shown too.` : '') +
            (grid ? ' Shades cover all trials; only those on this page have a bar.' : '') +
            ' Neighbours differ in colour so that their borders show. Drag to move; click the ' +
            'chart and turn the wheel to zoom (with Shift: the workers), or use the keys ' +
            '+ − 0 ← →.';
    }

    function busyText() {
        if (busy.length === 0)
            return 'No worker has run a trial yet.';
        const low = busy.reduce((a, b) => Math.min(a, b));
        const high = busy.reduce((a, b) => Math.max(a, b));
        if (busy.length === 1)
            return `The worker was busy ${percent(low)} of the time.`;
        return `The least busy worker was at ${percent(low)}, the busiest at ${percent(high)}.`;
    }

    /* The legend, only for what occurs. */
    function legend(items) {
        const present = new Set(counts.flatMap((n, code) => (n > 0 ? [lookOf[code]] : [])));
        return element('span', {class: 'legend'}, ...items.filter(([look]) => present.has(look))
            .map(([look, background]) => element('span', {},
                element('i', {style: `background: ${background}`}), look)));
    }

    function fill() {
        const bars = barChart(), runningTrials = runningChart(), shares = busyChart();
        let asked = false;
        const redraw = () => {
            if (asked)
                return;
            asked = true;
            requestAnimationFrame(() => {
                asked = false;
                bars.draw();
                runningTrials.draw();
            });
        };
        followWheel(bars, redraw);
        followDrag(bars, redraw);
        followKeys(bars, redraw);
        byId('gantt-controls').append(legend([
            ['done', 'linear-gradient(90deg, var(--bar) 50%, var(--bar-next) 50%)'],
            ['failed',
                'repeating-linear-gradient(135deg, var(--failed) 0 3px, var(--ground) 0 4px)'],
            ['stopped', 'var(--stopped)'], ['running', 'var(--running)']]));
        bars.describe('gantt-text', barText());
        runningTrials.describe('running-text',
            `On average ${number(study.meanRunning, 3)} ` +
            `${number(study.meanRunning, 3) === '1' ? 'trial' : 'trials'} ran at once, with ` +
            `${plural(study.workers, 'worker')}.`);
        shares.describe('busy-text', busyText());
    }

    return {fill, view, rows};
})();
