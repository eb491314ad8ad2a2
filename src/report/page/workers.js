/* workers.js - the charts over time: the trials on each worker, how many ran, busy shares. */
wickReport.workers = (() => {
    const {study, trials, earlier, running, busy, grid, total, counts, tick, numbers, indexOf,
        lookOf, number, plural, percent, seconds, stateName, tipText, element,
        byId} = wickReport.data;
    const {Chart, theme, niceStep, line, pixelOf} = wickReport.chart;

    const rows = collectRows();
    const limits = {time: study.span || 1, rows: rows.length || 1};
    const view = {};
    showAll();

    function showAll() {
        Object.assign(view, {from: 0, to: limits.time, top: 0, bottom: limits.rows});
    }

    /* One list of bars a worker, in order: the last try of each trial, and the earlier tries. */
    function collectRows() {
        const lists = Array.from({length: study.rows}, () => []);
        const add = (worker, from, to, state, trial) => {
            if (lists[worker - 1])
                lists[worker - 1].push({from, to, state, trial, last: true});
        };
        for (let i = 0; i < trials.count; i++) {
            const end = Number.isNaN(trials.ended[i]) ? study.span : trials.ended[i];
            add(trials.worker[i], trials.started[i], end, trials.state[i], i);
        }
        const from = numbers(earlier.started, tick), took = numbers(earlier.duration, tick);
        for (let i = 0; i < from.length; i++) {
            const list = lists[earlier.worker[i] - 1];
            if (list)
                list.push({from: from[i], to: from[i] + took[i], state: earlier.state[i],
                    trial: indexOf(earlier.trial[i]), last: false});
        }
        for (const list of lists)
            list.sort((a, b) => a.from - b.from);
        return lists;
    }

    /* ---- the trials on each worker ---- */

    /* The first bar of a row that ends after this time. */
    function firstBar(row, time) {
        let low = 0, high = row.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (row[middle].to < time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /*
     * What is narrower than a pixel is summed up in an image, in which a row has `levels` lines: a
     * pixel is as strong as it is busy, and from below as much of it is failed as was. So a redraw
     * costs the same however many trials there are.
     */
    const levels = 4, mostStrips = 700;

    function makeStrips(chart, count) {
        const width = Math.ceil(chart.frame.right - chart.frame.left);
        const image = new ImageData(width, Math.max(1, levels * count));
        return {width, image, pixels: new Uint32Array(image.data.buffer),
            busy: new Float32Array(width + 1), failed: new Float32Array(width + 1)};
    }

    function addToStrip(strips, x, width, isFailed) {
        const pixel = Math.floor(x), first = Math.min(width, pixel + 1 - x);
        if (pixel < 0 || pixel >= strips.width)
            return;
        for (const sums of isFailed ? [strips.busy, strips.failed] : [strips.busy]) {
            sums[pixel] += first;
            sums[pixel + 1] += width - first;
        }
    }

    /* Of a study whose page has not all trials, the shares were counted before. */
    function addGrid(chart, strips, r) {
        for (let x = 0; x < strips.width; x++) {
            const share = chart.x.invert(chart.frame.left + x) / limits.time;
            strips.busy[x] = Number(grid.rows[r][Math.floor(share * grid.columns)] || 0) / 9;
        }
    }

    function finishStrip(strips, strip, colours) {
        const {width, busy: share, failed, pixels} = strips;
        for (let x = 0; x < width; x++) {
            if (share[x] < 0.02)
                continue;
            const opacity = Math.round(255 * (0.3 + 0.7 * Math.min(1, share[x]))) << 24;
            const bad = Math.ceil(levels * failed[x] / share[x] - 1e-6);
            for (let level = 0; level < levels; level++)
                pixels[(strip * levels + level) * width + x] =
                    level >= levels - bad ? colours.failed : colours.busy | opacity;
        }
        share.fill(0);
        failed.fill(0);
    }

    /* Sorts the bars of a row into wide ones, as rectangles in a list by their look, and sums. */
    function collectBars(chart, r, lists, strips) {
        const {frame} = chart, row = rows[r];
        const {top, height} = place(chart, r);
        for (let k = firstBar(row, view.from); k < row.length && row[k].from <= view.to; k++) {
            const look = lookOf[row[k].state];
            const x = Math.max(chart.x(row[k].from), frame.left - 2);
            const width = Math.min(chart.x(row[k].to), frame.right + 2) - x;
            if (width < 1.5) {
                if (!grid)
                    addToStrip(strips, x - frame.left, width, look === 'failed');
                continue;
            }
            lists[k % 2 ? `${look}Next` : look].push(x, top, width, height);
            if (width > 36 && height > 11 && look === 'done' && row[k].trial >= 0)
                lists.labels.push([row[k].trial, x + width / 2, top + height / 2, k % 2]);
        }
        if (grid)
            addGrid(chart, strips, r);
    }

    /* Where a row lies: with a gap to its neighbours when there is room for one. */
    function place(chart, r, count = 1) {
        const top = chart.y(r), height = chart.y(r + count) - top;
        const inset = height > 8 ? 2 : height > 3 ? 0.5 : 0;
        return {top: top + inset, height: height - 2 * inset};
    }

    function paintStrips(chart, strips, first, step, count) {
        const {context, frame, ratio} = chart;
        /* Edges between pixels of the screen would shine through as a pattern. */
        const snap = (y) => Math.round(y * ratio) / ratio;
        const layer = element('canvas', {width: strips.width, height: strips.image.height});
        layer.getContext('2d').putImageData(strips.image, 0, 0);
        context.imageSmoothingEnabled = false;
        for (let strip = 0; strip < count; strip++) {
            const {top, height} = place(chart, first + strip * step, step);
            const from = snap(top), tall = snap(top + height) - from;
            if (tall > 0)
                context.drawImage(layer, 0, strip * levels, strips.width, levels,
                    frame.left, from, strips.width, tall);
        }
    }

    /* Stripes that rise (1) or fall (-1). */
    function hatch(chart, colour, slope) {
        const tile = element('canvas', {width: 6, height: 6});
        const inner = tile.getContext('2d');
        inner.fillStyle = colour;
        inner.fillRect(0, 0, 6, 6);
        inner.strokeStyle = theme.ground;
        inner.lineWidth = 1.2;
        for (const shift of [-6, 0, 6])
            line(inner, shift, 3 + 3 * slope, shift + 6, 3 - 3 * slope);
        return chart.context.createPattern(tile, 'repeat');
    }

    function paintLists(chart, lists) {
        const {context} = chart;
        const fill = (list, style, alpha = 1) => {
            context.fillStyle = style;
            context.globalAlpha = alpha;
            for (let i = 0; i < list.length; i += 4)
                context.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
            context.globalAlpha = 1;
        };
        fill(lists.done, theme.bar);
        fill(lists.doneNext, theme['bar-next']);
        fill(lists.running, theme.running);
        fill(lists.runningNext, theme.running);
        fill(lists.stopped, theme.stopped);
        fill(lists.stoppedNext, theme.stopped, 0.6);
        fill(lists.failed, hatch(chart, theme.failed, 1));
        fill(lists.failedNext, hatch(chart, theme.failed, -1));
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        for (const [trial, x, y, isLight] of lists.labels) {
            context.fillStyle = isLight ? '#1b2733' : '#ffffff';
            context.fillText(String(trials.id[trial]), x, y);
        }
    }

    /* Thousands of workers have less than a pixel each: then every so many of them is drawn. */
    function paintBars(chart) {
        const lists = {labels: []};
        for (const look of ['done', 'failed', 'running', 'stopped'])
            Object.assign(lists, {[look]: [], [`${look}Next`]: []});
        const first = Math.max(0, Math.floor(view.top));
        const end = Math.min(rows.length, Math.ceil(view.bottom));
        const step = Math.ceil((end - first) / mostStrips) || 1;
        const count = Math.ceil((end - first) / step);
        const strips = makeStrips(chart, count);
        const colours = {busy: pixelOf(theme['bar-mixed']),
            failed: pixelOf(theme.failed) | (255 << 24)};
        for (let strip = 0; strip < count; strip++) {
            collectBars(chart, first + strip * step, lists, strips);
            finishStrip(strips, strip, colours);
        }
        paintStrips(chart, strips, first, step, count);
        paintLists(chart, lists);
    }

    function findBar(chart, x, y) {
        const r = Math.floor(chart.y.invert(y)), time = chart.x.invert(x);
        if (!rows[r] || x < chart.frame.left)
            return null;
        const slack = 2 * (chart.x.invert(1) - chart.x.invert(0));
        const bar = rows[r][firstBar(rows[r], time - slack)];
        if (!bar || bar.from > time + slack)
            return null;
        const note = bar.last ? '' :
            `\n(an earlier try: ${stateName(bar.state)} after ${seconds(bar.to - bar.from)})`;
        const text = bar.trial >= 0 ? tipText(bar.trial) : 'A trial that is not on this page';
        return {text: text + note, trial: bar.trial};
    }

    function workerTicks(height) {
        const shown = Math.max(1, view.bottom - view.top);
        const step = Math.max(1, niceStep(shown, Math.max(1, height / 16)));
        const ticks = [];
        for (let r = Math.floor(view.top); r < Math.min(rows.length, view.bottom); r++) {
            const centre = r + 0.5;
            const wanted = (r + 1) % step === 0;
            if (wanted && centre > view.top && centre < view.bottom)
                ticks.push([centre, String(r + 1)]);
        }
        return ticks;
    }

    const timeAxis = () => ({kind: 'time', low: view.from, high: view.to,
        title: 'time since the start'});

    function barChart() {
        const height = () => Math.min(560, Math.max(110, rows.length * 26 + 70));
        return new Chart(byId('gantt-chart'), {
            height, x: timeAxis, paint: paintBars, find: findBar,
            y: () => ({kind: 'linear', low: view.bottom, high: view.top, plain: true,
                title: 'worker', ticks: workerTicks(height() - 70)}),
        });
    }

    /* ---- zoom and pan ---- */

    /* Zooms [low, high] of the view around its place `at` in [0, 1]. */
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

    /* Where the pointer is, as shares of the chart's frame. */
    function shareOf(chart, event) {
        const box = chart.canvas.getBoundingClientRect(), {frame} = chart;
        return {
            x: (event.clientX - box.left - frame.left) / (frame.right - frame.left),
            y: (event.clientY - box.top - frame.top) / (frame.bottom - frame.top),
        };
    }

    /* The wheel zooms only once the chart has the focus: the page must scroll past it freely. */
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

    /* ---- how many ran, and busy shares ---- */

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
        const again = earlier.trial.length;
        return `${plural(rows.length, 'worker')} ran ${plural(total, 'trial')} in ` +
            `${seconds(study.wall)} and ${rows.length === 1 ? 'was' : 'were'} busy ` +
            `${percent(study.busy)} of the time.` +
            (again > 0 ? ` ${plural(again, 'earlier try', 'earlier tries')} are shown too.` : '') +
            (grid ? ' Shades are of all trials; only those on this page have a bar.' : '') +
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

    /* Only of what there is. */
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
