/* chart.js - a canvas with axes: scales, ticks, dots, the tip under the pointer. */
wickReport.chart = (() => {
    const {number, element, byId} = wickReport.data;
    const all = [];

    /* ---- scales and ticks ---- */

    /* Maps the axis's [low, high] to the pixels [from, to]; its kind is linear, time or log. */
    function scale(axis, from, to) {
        const isLog = axis.kind === 'log';
        const bend = isLog ? Math.log10 : (value) => value;
        const low = bend(axis.low), high = bend(axis.high);
        const factor = (to - from) / (high - low || 1);
        const map = (value) => from + (bend(value) - low) * factor;
        map.invert = (pixel) => {
            const place = low + (pixel - from) / factor;
            return isLog ? 10 ** place : place;
        };
        return map;
    }

    function niceStep(span, wanted) {
        const raw = span / wanted;
        const power = 10 ** Math.floor(Math.log10(raw));
        const rest = raw / power;
        return (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10) * power;
    }

    /* All labels of an axis have the same number of decimals. */
    function tickLabel(value, step) {
        const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        const plain = decimals < 7 && Math.abs(value) < 1e7;
        return plain ? value.toLocaleString('en-US', {minimumFractionDigits: decimals,
            maximumFractionDigits: decimals}) : number(value, 8);
    }

    const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
        43200, 86400];

    function timeStep(span, wanted) {
        if (span < wanted)
            return niceStep(span, wanted);
        const step = timeSteps.find((candidate) => span / candidate <= wanted);
        return step || 86400 * Math.max(1, niceStep(span / 86400, wanted));
    }

    const two = (value) => String(value).padStart(2, '0');

    function timeLabel(value, step, high) {
        if (value === 0)
            return '0';
        if (step < 1)
            return high < 1 ? `${number(value * 1e3, 7)} ms` : `${tickLabel(value, step)} s`;
        if (step < 60 && value < 300)
            return `${value} s`;
        const hours = Math.floor(value / 3600), minutes = Math.floor(value / 60) % 60;
        if (step < 60)
            return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(Math.round(value % 60))}`;
        if (step < 3600)
            return hours ? `${hours} h ${two(minutes)}` : `${minutes} min`;
        return step < 86400 ? `${hours} h` : `${Math.round(value / 86400)} d`;
    }

    function linearTicks(axis, wanted) {
        const span = axis.high - axis.low || 1;
        const isTime = axis.kind === 'time';
        let step = isTime ? timeStep(span, wanted) : niceStep(span, wanted);
        if (axis.whole)
            step = Math.max(1, step);
        const ticks = [];
        for (let k = Math.ceil(axis.low / step - 1e-9); k * step <= axis.high + step * 1e-9; k++) {
            const at = k * step || 0; /* never -0 */
            ticks.push([at, isTime ? timeLabel(at, step, axis.high) : tickLabel(at, step)]);
        }
        return ticks;
    }

    function logTicks(axis, wanted) {
        const low = Math.log10(axis.low), high = Math.log10(axis.high);
        if (high - low < 0.7)
            return linearTicks(axis, wanted);
        const every = Math.max(1, Math.ceil((high - low) / wanted));
        const parts = high - low < wanted / 3 ? [1, 2, 5] : [1];
        const ticks = [];
        for (let decade = Math.floor(low); decade <= Math.ceil(high); decade++)
            for (const part of parts) {
                const at = Number(`${part}e${decade}`);
                const inside = at >= axis.low * 0.9999 && at <= axis.high * 1.0001;
                if (inside && decade % every === 0)
                    ticks.push([at, Math.abs(decade) > 3 ? `${part}e${decade}` : number(at, 8)]);
            }
        return ticks;
    }

    function ticksOf(axis, wanted) {
        if (axis.ticks)
            return axis.ticks;
        return (axis.kind === 'log' ? logTicks : linearTicks)(axis, Math.max(2, wanted));
    }

    /* ---- the canvas ---- */

    const theme = {};

    function readTheme() {
        const style = getComputedStyle(document.documentElement);
        const lines = Array.from({length: 8}, (_, k) => `line-${k + 1}`);
        for (const name of ['ground', 'raised', 'ink', 'muted', 'rule', 'grid', 'done', 'failed',
            'running', 'stopped', 'best', 'bar', 'bar-next', 'bar-mixed', ...lines])
            theme[name] = style.getPropertyValue(`--${name}`).trim();
    }

    function line(context, x0, y0, x1, y1) {
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
        context.stroke();
    }

    function clip(context, text, width) {
        if (context.measureText(text).width <= width)
            return text;
        let length = Math.min(text.length, 80);
        while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width)
            length--;
        return `${text.slice(0, length)}…`;
    }

    /*
     * `parts` has height(), x() and y() (axes: {kind, low, high, title, ticks, whole, plain}),
     * paint(chart) for what lies between them, and optionally find(chart, x, y), which returns what
     * is under the pointer as {text, trial}. paint() finds the context, the scales and the frame
     * here. `above` and `below` of y() are numbers of pixels of the frame that the scale leaves
     * free; its `note` is drawn opposite its title.
     */
    class Chart {
        constructor(canvas, parts) {
            Object.assign(this, {canvas, parts, context: canvas.getContext('2d')});
            canvas.addEventListener('pointermove', (event) => this.hover(event));
            canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
            canvas.addEventListener('click', (event) => this.click(event));
            all.push(this);
        }

        draw() {
            const began = performance.now();
            const {canvas, context, parts} = this;
            const width = canvas.clientWidth || 600, height = parts.height();
            this.ratio = window.devicePixelRatio || 1;
            this.width = width;
            canvas.style.height = `${height}px`;
            canvas.width = Math.round(width * this.ratio);
            canvas.height = Math.round(height * this.ratio);
            context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
            context.font = '12px system-ui, "Liberation Sans", sans-serif';
            const x = parts.x(), y = parts.y();
            const yTicks = ticksOf(y, (height - 60) / 40);
            const widths = yTicks.map(([, text]) => context.measureText(text).width);
            const frame = this.frame = {
                left: Math.ceil(Math.min(Math.max(8, ...widths), width / 3)) + 10,
                right: width - 12,
                top: y.title ? 28 : 8, bottom: height - (x.title ? 42 : 24),
            };
            this.x = scale(x, frame.left, frame.right);
            this.y = scale(y, frame.bottom - (y.below || 0), frame.top + (y.above || 0));
            this.axes(x, y, yTicks);
            context.save();
            context.beginPath();
            context.rect(frame.left - 1, frame.top - 6, width - frame.left + 1,
                frame.bottom - frame.top + 7);
            context.clip();
            parts.paint(this);
            context.restore();
            this.cost = performance.now() - began;
        }

        axes(x, y, yTicks) {
            const {context, frame} = this;
            context.strokeStyle = theme.grid;
            context.fillStyle = theme.muted;
            context.lineWidth = 1;
            context.textBaseline = 'middle';
            context.textAlign = 'right';
            for (const [at, text] of yTicks) {
                const py = Math.round(this.y(at)) + 0.5;
                if (!y.plain)
                    line(context, frame.left, py, frame.right, py);
                context.fillText(clip(context, text, frame.left - 8), frame.left - 8, py);
            }
            context.strokeStyle = theme.rule;
            line(context, frame.left, frame.bottom + 0.5, frame.right, frame.bottom + 0.5);
            context.textBaseline = 'top';
            this.xTicks(x);
            context.textAlign = 'right';
            if (x.title)
                context.fillText(x.title, frame.right, frame.bottom + 27);
            const noteWidth = y.note ? context.measureText(y.note).width + 12 : 0;
            if (y.note)
                context.fillText(y.note, frame.right, 2);
            context.textAlign = 'left';
            if (y.title)
                context.fillText(clip(context, y.title, frame.right - noteWidth), 0, 2);
        }

        /* Leaves out labels that would touch the one before. */
        xTicks(x) {
            const {context, frame} = this;
            const ticks = ticksOf(x, (frame.right - frame.left) / 70);
            const room = x.ticks && ticks.length > 1
                ? Math.abs(this.x(ticks[1][0]) - this.x(ticks[0][0])) : frame.right - frame.left;
            let free = 0;
            context.textAlign = 'center';
            for (const [at, whole] of ticks) {
                const text = clip(context, whole, Math.max(room - 6, 28));
                const half = context.measureText(text).width / 2;
                const mark = Math.round(this.x(at)) + 0.5;
                const px = Math.min(Math.max(this.x(at), half), frame.right + 12 - half);
                if (px - half < free)
                    continue;
                context.fillText(text, px, frame.bottom + 9);
                line(context, mark, frame.bottom, mark, frame.bottom + 4);
                free = px + half + 8;
            }
        }

        under(event) {
            const box = this.canvas.getBoundingClientRect();
            if (!this.frame || !this.parts.find)
                return null;
            return this.parts.find(this, event.clientX - box.left, event.clientY - box.top);
        }

        hover(event) {
            const found = event.buttons ? null : this.under(event);
            const tip = byId('tip');
            tip.hidden = !found;
            if (!found)
                return;
            tip.textContent = found.text;
            const {offsetWidth: width, offsetHeight: height} = tip;
            const flips = event.clientX + 16 + width > innerWidth;
            const left = flips ? event.clientX - width - 12 : event.clientX + 16;
            const top = Math.min(event.clientY + 16, innerHeight - height - 4);
            tip.style.left = `${Math.max(4, left)}px`;
            tip.style.top = `${Math.max(4, top)}px`;
        }

        click(event) {
            const found = this.dragged ? null : this.under(event);
            this.dragged = false;
            if (found && found.trial >= 0)
                wickReport.parts.showTrial(found.trial);
        }

        /* Sets the sentence under the chart, which is also its text for those who cannot see it. */
        describe(id, text) {
            byId(id).textContent = text;
            this.canvas.setAttribute('aria-label', text);
        }
    }

    /* ---- dots ---- */

    /* Draws dots at the pixels (xs, ys): as circles, or, if they are many, as counts per pixel. */
    function dots(chart, xs, ys, colour, strength = 0.7) {
        if (xs.length > 3000)
            return splat(chart, xs, ys, colour);
        const {context} = chart;
        context.fillStyle = colour;
        context.globalAlpha = Math.min(strength, Math.max(0.15, 7 / Math.sqrt(xs.length)));
        for (let i = 0; i < xs.length; i++) {
            context.beginPath();
            context.arc(xs[i], ys[i], xs.length > 1000 ? 1.8 : 2.6, 0, 7);
            context.fill();
        }
        context.globalAlpha = 1;
    }

    function countHits(chart, xs, ys, width, height) {
        const {frame, ratio} = chart;
        const hits = new Uint16Array(width * height);
        const side = Math.round(2 * ratio);
        for (let i = 0; i < xs.length; i++) {
            const left = Math.round((xs[i] - frame.left + 1) * ratio);
            const top = Math.round((ys[i] - frame.top + 1) * ratio);
            if (!(left >= 0 && top >= 0 && left + side <= width && top + side <= height))
                continue;
            for (let row = top; row < top + side; row++)
                for (let column = left; column < left + side; column++)
                    hits[row * width + column]++;
        }
        return hits;
    }

    /* #rrggbb as a pixel of an image, with an opacity of 0. */
    function pixelOf(colour) {
        const [red, green, blue] = colour.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
        return (blue << 16) | (green << 8) | red;
    }

    function splat(chart, xs, ys, colour) {
        const {frame, ratio, context} = chart;
        const width = Math.ceil((frame.right - frame.left + 4) * ratio);
        const height = Math.ceil((frame.bottom - frame.top + 4) * ratio);
        const hits = countHits(chart, xs, ys, width, height);
        const layer = element('canvas', {width, height});
        const image = layer.getContext('2d').createImageData(width, height);
        const pixels = new Uint32Array(image.data.buffer);
        const plain = pixelOf(colour);
        /* On a logarithmic scale, single dots stay visible and crowds still differ. */
        const most = Math.log(1 + hits.reduce((a, b) => Math.max(a, b), 1));
        /* The more dots there are, the paler they are: lines must stay visible above them. */
        const least = Math.max(14, 60 - 10 * Math.log10(xs.length));
        const range = Math.max(90, 210 - 40 * Math.log10(xs.length / 3000));
        const shades = Array.from({length: 256}, (_, n) =>
            (Math.min(255, Math.round(least + range * Math.log(1 + n) / most)) << 24) | plain);
        for (let i = 0; i < hits.length; i++)
            if (hits[i] > 0)
                pixels[i] = shades[Math.min(hits[i], 255)];
        layer.getContext('2d').putImageData(image, 0, 0);
        context.drawImage(layer, frame.left - 1, frame.top - 1, width / ratio, height / ratio);
    }

    /* The index of the nearest of the pixels (xs, ys) within reach of (x, y), or -1. */
    function nearest(xs, ys, x, y) {
        let best = -1, reach = 12 * 12;
        for (let i = 0; i < xs.length; i++) {
            const distance = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
            if (distance <= reach) {
                reach = distance;
                best = i;
            }
        }
        return best;
    }

    /* Marks the best trial. */
    function ring(chart, x, y) {
        const {context} = chart;
        context.beginPath();
        context.arc(x, y, 5.5, 0, 7);
        context.fillStyle = theme.best;
        context.fill();
        context.lineWidth = 2;
        context.strokeStyle = theme.ink;
        context.stroke();
    }

    /* Draws small triangles at the pixels xs and the height y; one where several would touch. */
    function triangles(chart, xs, y, isUp, colour) {
        const {context} = chart, tip = isUp ? -5 : 5;
        const places = new Set(Array.from(xs, (x) => Math.round(x / 3) * 3));
        context.fillStyle = colour;
        for (const x of places) {
            context.beginPath();
            context.moveTo(x - 3.5, y);
            context.lineTo(x + 3.5, y);
            context.lineTo(x, y + tip);
            context.fill();
        }
    }

    return {all, Chart, theme, readTheme, niceStep, line, pixelOf, dots, triangles, nearest, ring};
})();
