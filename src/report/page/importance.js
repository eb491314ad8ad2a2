/* importance.js - what matters: the share of each parameter, and how the score depends on it. */
wickReport.importance = (() => {
    const {study, parameters, objectives, importance, number, count, percent, plural, element,
        byId} = wickReport.data;
    const {Chart, theme, ring} = wickReport.chart;
    const {parameterAxis} = wickReport.scores;

    const mostBars = 12, mostPairs = 5, mostCurves = 6;
    const [all] = importance, nearBest = objectives.length === 0 && importance[1];
    const find = (name) => parameters.find((parameter) => parameter.name === name);
    const shown = (all.parameters || []).filter((effect) => effect.curve && effect.share >= 0.01)
        .slice(0, mostCurves);

    /* ---- bars ---- */

    /* Parameters, pairs that matter, and the rest, the largest share first. */
    function rowsOf({parameters: effects, pairs, rest}) {
        const alone = effects.slice(0, mostBars).map((effect) =>
            ({...effect, name: effect.parameter, kind: 'alone', advice: effect.direction}));
        const together = pairs.filter((pair) => pair.clear).slice(0, mostPairs).map((pair) =>
            ({...pair, name: pair.parameters.join(' × '), kind: 'together',
                advice: 'only together'}));
        const total = [...effects, ...pairs].reduce((sum, {share}) => sum + share, rest);
        const rows = [...alone, ...together].sort((a, b) => b.share - a.share);
        const left = rows.reduce((sum, {share}) => sum - share, total);
        return left < 0.005 ? rows :
            [...rows, {name: 'all else', share: left, spread: 0, kind: 'rest'}];
    }

    function barRow({name, share, spread, kind, advice}, most) {
        const width = (part) => `${(100 * Math.min(1, part / most)).toFixed(2)}%`;
        const from = width(Math.max(0, share - spread)), to = width(share + spread);
        const whisker = spread > 0 ? element('span', {class: 'whisker',
            style: `left: ${from}; width: calc(${to} - ${from})`}) : null;
        return element('tr', {},
            element('th', {scope: 'row'}, name),
            element('td', {class: 'number', title: spread > 0 &&
                `± ${percent(spread)} over the trees`}, percent(share)),
            element('td', {class: 'track'}, element('span', {class: 'rail'},
                element('span', {class: `share ${kind}`, style: `width: ${width(share)}`}),
                whisker)),
            element('td', {class: 'advice'}, advice || ''));
    }

    function addBars(data, title) {
        const rows = rowsOf(data);
        const most = Math.max(0.01, ...rows.map(({share, spread}) => share + spread));
        const explained = data.explained === null ? '' :
            `R² ${Math.max(0, data.explained).toFixed(2)}`;
        byId('matters-bars').append(element('div', {},
            element('h3', {}, title, ' ', element('small', {}, explained)),
            element('p', {class: 'doubts', hidden: data.doubts === ''}, data.doubts),
            element('div', {class: 'wide'}, element('table', {},
                element('tbody', {}, ...rows.map((row) => barRow(row, most)))))));
    }

    /* ---- curves ---- */

    /* All curves have the same scale of scores, so that a flat one looks flat. */
    function curveRange() {
        const all = shown.flatMap((effect) => effect.curve);
        const low = all.reduce((least, {mean, spread}) => Math.min(least, mean - spread), Infinity);
        const high = all.reduce((most, {mean, spread}) => Math.max(most, mean + spread), -Infinity);
        const margin = 0.06 * (high - low || Math.abs(high) || 1);
        return {kind: 'linear', low: low - margin, high: high + margin, title: study.score};
    }

    /* The places of a curve on its axis: values, or the indexes of values. */
    function placesOf(parameter, curve) {
        if (!parameter.values)
            return curve.map(({value}) => value);
        return curve.map(({value}, k) => (curve.length === parameter.values.length ? k :
            parameter.values.indexOf(String(value))));
    }

    function paintLine(chart, places, curve) {
        const {context} = chart;
        const trace = (list, height) => list.forEach((k) =>
            context.lineTo(chart.x(places[k]), chart.y(height(curve[k]))));
        const keys = [...curve.keys()];
        context.beginPath();
        trace(keys, ({mean, spread}) => mean + spread);
        trace(keys.reverse(), ({mean, spread}) => mean - spread);
        context.fillStyle = theme.bar;
        context.globalAlpha = 0.2;
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        trace(keys.reverse(), ({mean}) => mean);
        context.strokeStyle = theme.bar;
        context.lineWidth = 2;
        context.lineJoin = 'round';
        context.stroke();
    }

    /* For separate values: a box for the spread, with a line for the mean. */
    function paintBoxes(chart, places, curve) {
        const {context} = chart;
        const room = places.length > 1 ? Math.abs(chart.x(places[1]) - chart.x(places[0])) : 60;
        const wide = Math.max(3, Math.min(56, 0.6 * room));
        context.fillStyle = theme.bar;
        curve.forEach(({mean, spread}, k) => {
            const x = chart.x(places[k]) - wide / 2, y = chart.y(mean);
            const top = chart.y(mean + spread), bottom = chart.y(mean - spread);
            context.globalAlpha = 0.2;
            context.fillRect(x, top, wide, bottom - top);
            context.globalAlpha = 1;
            context.fillRect(x, y - 1.5, wide, 3);
        });
    }

    function bestOf(curve) {
        const better = study.maximize ? (a, b) => a > b : (a, b) => a < b;
        return curve.reduce((best, {mean}, k) => (better(mean, curve[best].mean) ? k : best), 0);
    }

    function findPlace(chart, x, parameter, places, curve) {
        const near = places.reduce((best, place, k) =>
            (Math.abs(chart.x(place) - x) < Math.abs(chart.x(places[best]) - x) ? k : best), 0);
        const {value, mean, spread} = curve[near];
        const text = parameter.values ? parameter.values[places[near]] : number(value, 4);
        return {text: `${parameter.name} = ${text}\n${study.score} ${number(mean, 4)} ± ` +
            `${number(spread, 2)} on average`, trial: -1};
    }

    function curveChart(effect, range) {
        const parameter = find(effect.parameter), {curve} = effect;
        const places = placesOf(parameter, curve), best = bestOf(curve);
        const stands = parameter.values || parameter.isFew;
        const where = parameter.conditional ? ' where it is active' : '';
        const canvas = element('canvas', {role: 'img', 'aria-label':
            `Mean ${study.score} along ${parameter.name}${where}: ${effect.direction}.`});
        byId('matters-curves').append(element('figure', {},
            element('h3', {}, parameter.name, ' ', element('small', {},
                `${percent(effect.share)} alone, ${effect.direction}${where}`)), canvas));
        return new Chart(canvas, {
            height: () => 200, x: () => parameterAxis(parameter), y: () => range,
            paint(chart) {
                (stands ? paintBoxes : paintLine)(chart, places, curve);
                ring(chart, chart.x(places[best]), chart.y(curve[best].mean));
            },
            find: (chart, x) => findPlace(chart, x, parameter, places, curve),
        });
    }

    /* ---- the pair that matters most ---- */

    /* The edges of the cells around values: half way to the next one, on the scale of the axis. */
    function cellEdges(pixels) {
        return pixels.map((pixel, k) => {
            const half = (a, b) => (a === undefined ? undefined : (a + b) / 2);
            const before = half(pixels[k - 1], pixel), after = half(pixels[k + 1], pixel);
            const width = Math.abs((before === undefined ? after : before) - pixel) || 20;
            const sign = pixels.length > 1 && pixels[pixels.length - 1] < pixels[0] ? -1 : 1;
            return [before === undefined ? pixel - sign * width : before,
                after === undefined ? pixel + sign * width : after];
        });
    }

    function surfaceRange({means}) {
        const low = Math.min(...means), high = Math.max(...means);
        return (mean) => {
            const share = high > low ? (mean - low) / (high - low) : 0.5;
            return study.maximize ? share : 1 - share;
        };
    }

    function paintSurface(chart, surface, goodness) {
        const {context} = chart, {firsts, seconds, means} = surface;
        const xs = cellEdges(firsts.map((value) => chart.x(value)));
        const ys = cellEdges(seconds.map((value) => chart.y(value)));
        context.fillStyle = theme.bar;
        xs.forEach(([left, right], i) => ys.forEach(([from, to], k) => {
            const x = Math.floor(left), y = Math.floor(Math.min(from, to));
            context.globalAlpha = 0.04 + 0.96 * goodness(means[i * seconds.length + k]) ** 2;
            context.fillRect(x, y, Math.floor(right) - x, Math.floor(Math.max(from, to)) - y);
        }));
        context.globalAlpha = 1;
    }

    function nearestIndex(pixels, at) {
        return pixels.reduce((best, pixel, k) =>
            (Math.abs(pixel - at) < Math.abs(pixels[best] - at) ? k : best), 0);
    }

    function surfaceChart(surface) {
        const first = find(surface.first), second = find(surface.second);
        const goodness = surfaceRange(surface);
        const text = (parameter, value) =>
            (parameter.values ? parameter.values[value] : number(value, 4));
        const canvas = element('canvas', {role: 'img', 'aria-label':
            `Mean ${study.score} along ${first.name} and ${second.name}.`});
        byId('matters-curves').append(element('figure', {},
            element('h3', {}, `${first.name} × ${second.name}`, ' ', element('small', {},
                'the darker the better')), canvas));
        return new Chart(canvas, {
            height: () => 240, x: () => ({...parameterAxis(first), title: first.name}),
            y: () => ({...parameterAxis(second), plain: true, title: second.name}),
            paint: (chart) => paintSurface(chart, surface, goodness),
            find(chart, x, y) {
                const i = nearestIndex(surface.firsts.map((value) => chart.x(value)), x);
                const k = nearestIndex(surface.seconds.map((value) => chart.y(value)), y);
                const mean = surface.means[i * surface.seconds.length + k];
                return {text: `${first.name} = ${text(first, surface.firsts[i])}\n` +
                    `${second.name} = ${text(second, surface.seconds[k])}\n` +
                    `${study.score} ${number(mean, 4)} on average`, trial: -1};
            },
        });
    }

    /* ---- the section ---- */

    function introduction() {
        const limited = all.limited > 0 ? ` ${plural(all.limited, 'score')} worse than ` +
            `${number(all.limit, 4)} ${all.limited === 1 ? 'counts' : 'count'} as that.` : '';
        const near = nearBest ? ' Between the best, all worse trials count as equal.' : '';
        const score = objectives.length > 0 ? 'each score' : study.score;
        return `A random forest was fitted to ${score} of ${count(all.trials)} trials. Each bar is the ` +
            'share of the variance over the whole space that a parameter explains alone, or ' +
            'two only together; the thin line shows how much the trees disagree. R² is the share ' +
            'of the variance that the forest explains in trials it has not seen; 1 is all of it.' +
            `${near}${limited}`;
    }

    function fill() {
        byId('matters-text').textContent = all.refused || introduction();
        if (all.refused)
            return;
        const titles = objectives.length > 0 ? importance.map(({objective}) => objective) :
            ['Between all trials', 'Between the best quarter'];
        importance.forEach((data, k) => data.refused || addBars(data, titles[k]));
        const range = curveRange();
        shown.forEach((effect) => curveChart(effect, range));
        if (all.surface)
            surfaceChart(all.surface);
    }

    return {fill};
})();
