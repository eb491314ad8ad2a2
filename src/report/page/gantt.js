/*
 * gantt.js - the trials on each worker as bars along time. A page may have one for each of several
 * studies: gantt(data, view, colourOf) creates it from a study's data. `view` is the visible part,
 * times [from, to] and rows [top, bottom]; colourOf(i) may give trial i a colour of its own.
 */
wickReport.gantt = (data, view, colourOf = () => null) => {
    const {study, trials, earlier, grid, tick, numbers, indexOf, lookOf, seconds, stateName,
        tipText, element} = data;
    const {theme, niceStep, line, pixelOf} = wickReport.chart;

    const rows = collectRows();

    /* One list of bars per worker, in order: the last try of each trial, and the earlier tries. */
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
                    trial: indexOf(earlier.trial[i]), last: earlier.part[i] === 1});
        }
        for (const list of lists)
            list.sort((a, b) => a.from - b.from);
        return lists;
    }

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
     * Bars narrower than a pixel are summed up in an image in which a row has `levels` lines: the
     * opacity of a pixel shows its busy share, and the failed part is filled from below. So a
     * redraw costs the same however many trials there are.
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

    /* If the page does not have all trials of a study, it has the busy shares. */
    function addGrid(chart, strips, r) {
        for (let x = 0; x < strips.width; x++) {
            const share = chart.x.invert(chart.frame.left + x) / (study.span || 1);
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

    function isLight(colour) {
        const pixel = pixelOf(colour), part = (shift) => (pixel >> shift) & 255;
        return 0.3 * part(0) + 0.59 * part(8) + 0.11 * part(16) > 140;
    }

    /* Sorts the bars of a row: wide ones go into a list by their look, others are summed up. */
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
            const own = row[k].last && row[k].trial >= 0 ? colourOf(row[k].trial) : null;
            if (own)
                lists.own.push([own, x, top, Math.max(1, width - 1), height]);
            else
                lists[k % 2 ? `${look}Next` : look].push(x, top, width, height);
            if (width > 36 && height > 11 && look === 'done' && row[k].trial >= 0)
                lists.labels.push([row[k].trial, x + width / 2, top + height / 2,
                    own ? isLight(own) : k % 2]);
        }
        if (grid)
            addGrid(chart, strips, r);
    }

    /* The position of a row: with a gap to its neighbours if there is room. */
    function place(chart, r, count = 1) {
        const top = chart.y(r), height = chart.y(r + count) - top;
        const inset = height > 8 ? 2 : height > 3 ? 0.5 : 0;
        return {top: top + inset, height: height - 2 * inset};
    }

    function paintStrips(chart, strips, first, step, count) {
        const {context, frame, ratio} = chart;
        /* Edges between pixels of the screen would show as a pattern. */
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
        for (const [colour, x, y, width, height] of lists.own) {
            context.fillStyle = colour;
            context.fillRect(x, y, width, height);
        }
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        for (const [trial, x, y, onLight] of lists.labels) {
            context.fillStyle = onLight ? '#1b2733' : '#ffffff';
            context.fillText(String(trials.id[trial]), x, y);
        }
    }

    /* If thousands of workers have less than a pixel each, only one in every `step` is drawn. */
    function paintBars(chart) {
        const lists = {labels: [], own: []};
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

    /* The parts of a Chart. */
    const parts = (height, timeAxis) => ({
        height, x: timeAxis, paint: paintBars, find: findBar,
        y: () => ({kind: 'linear', low: view.bottom, high: view.top, plain: true,
            title: 'worker', ticks: workerTicks(height() - 70)}),
    });

    return {rows, parts};
};
