/*
 * data.js - the data that Wick has put into the page (data.c describes it), read once, and its
 * values as text. The scripts of the page share one global, wickReport, to which each adds.
 * `studies` has the studies of the page, and `data` is the first of them; most pages have only one.
 */
'use strict';

const wickReport = {};

(() => {
    const errors = [];
    window.addEventListener('error', (event) => {
        errors.push(event.message);
        document.body.dataset.errors = errors.join('\n');
    });

    /* ---- columns ---- */

    function numbers(list, factor = 1) {
        const out = new Float64Array(list.length);
        for (let i = 0; i < list.length; i++)
            out[i] = list[i] === null ? NaN : list[i] * factor;
        return out;
    }

    /* Trial numbers and start times are stored as differences, which are shorter. */
    function sums(list, factor = 1) {
        const out = new Float64Array(list.length);
        let sum = 0;
        for (let i = 0; i < list.length; i++) {
            sum += list[i];
            out[i] = sum * factor;
        }
        return out;
    }

    /* ---- text ---- */

    /* Formats a number with `digits` digits; by default, whole numbers are shown in full. */
    function number(value, digits = 6) {
        if (value === null || Number.isNaN(value))
            return '–';
        const isWhole = Number.isInteger(value) && digits >= 6 && Math.abs(value) < 1e15;
        const short = isWhole ? value : Number(value.toPrecision(digits));
        const small = short !== 0 && Math.abs(short) < 1e-4;
        return (small ? short.toExponential() : String(short)).replace('e+', 'e');
    }

    const count = (value) => value.toLocaleString('en-US');
    const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
    const percent = (share) =>
        `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}\u00a0%`;

    function seconds(value) {
        if (Number.isNaN(value))
            return '–';
        if (value < 1e-3)
            return `${number(value * 1e6, 3)}\u00a0µs`;
        if (value < 1)
            return `${number(value * 1e3, 3)}\u00a0ms`;
        if (value < 100)
            return `${number(value, 3)}\u00a0s`;
        const whole = Math.round(value);
        const minutes = Math.floor(whole / 60), hours = Math.floor(whole / 3600);
        if (whole < 3600)
            return `${minutes} min ${whole % 60} s`;
        if (whole < 2 * 86400)
            return `${hours} h ${minutes % 60} min`;
        return `${Math.floor(hours / 24)} days ${hours % 24} h`;
    }

    /* ---- elements ---- */

    /* Children are nodes or texts; a text never becomes markup. */
    function element(tag, attributes, ...children) {
        const node = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes || {})) {
            if (name.startsWith('on'))
                node.addEventListener(name.slice(2), value);
            else if (value !== false && value !== undefined)
                node.setAttribute(name, value === true ? '' : value);
        }
        node.append(...children.filter((child) => child !== null && child !== undefined));
        return node;
    }

    /* ---- a study ---- */

    /* The look of each state: running, done, failed or stopped. */
    const looks = {running: 'running', done: 'done', stopped: 'stopped', interrupted: 'stopped'};

    function readStudy(data) {
        const trials = readTrials(data.trials);
        const exact = new Map(data.best.map((best) => [best.trial, best]));

        function readTrials(columns) {
            const read = {
                count: columns.state.length,
                id: sums(columns.trial),
                state: Uint8Array.from(columns.state),
                score: numbers(columns.score),
                started: sums(columns.started, data.tick),
                duration: numbers(columns.duration, data.tick),
                worker: numbers(columns.worker),
                tries: numbers(columns.tries),
                parameters: columns.parameters.map((list) => list && numbers(list)),
                metrics: columns.metrics.map((list) => numbers(list)),
                scores: columns.scores.map((list) => numbers(list)),
                front: Uint8Array.from(columns.front),
                broken: numbers(columns.broken),
            };
            read.ended = read.started.map((start, i) => start + read.duration[i]);
            return read;
        }

        /* The index of a trial in the columns, or -1 if it was left out. */
        function indexOf(id) {
            let low = 0, high = trials.count;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (trials.id[middle] < id)
                    low = middle + 1;
                else
                    high = middle;
            }
            return trials.id[low] === id ? low : -1;
        }

        const lookOf = data.states.map((name) => looks[name] || 'failed');

        const stateName = (code) => data.states[code];

        function valueText(p, i) {
            const parameter = data.parameters[p], column = trials.parameters[p];
            if (!column)
                return parameter.values[0];
            if (Number.isNaN(column[i]))
                return '';
            return parameter.values ? parameter.values[column[i]] : number(column[i]);
        }

        /* The parameters of trial i as [name, text, exact text]; the texts of the best differ. */
        function valuesOf(i) {
            const best = exact.get(trials.id[i]);
            return data.parameters.map((parameter, p) => {
                const text = valueText(p, i);
                return [parameter.name, text, best && best.values[p] ? best.values[p] : text];
            }).filter(([, text]) => text !== '');
        }

        /* The same for its metrics besides the score. */
        function metricsOf(i) {
            const best = exact.get(trials.id[i]);
            return data.metrics.map((name, m) => {
                const text = number(trials.metrics[m][i]);
                return [name, text, best && best.metrics[m] ? best.metrics[m] : text];
            }).filter(([, text]) => text !== '–');
        }

        /* The score as a text and an exact text. */
        function scoreOf(i) {
            const best = exact.get(trials.id[i]);
            return [number(trials.score[i]), best ? best.score : undefined];
        }

        const scoreText = (i) => scoreOf(i)[0];

        /* The text in place of the scores if there are none. */
        const noScore = data.study.state === 'running' ? 'No trial is done yet.' :
            'No trial has a score.';

        /* Whether no measured constraint is violated; and the text of what is violated, or ''. */
        const isValid = (i) => !(trials.broken[i] >= 0);
        const brokenText = (i) => (isValid(i) ? '' : data.broken[trials.broken[i]]);

        /* The trials of an ordered list that were better than all before them. */
        function recordsOf(order) {
            const out = [], {maximize} = data.study;
            let best = maximize ? -Infinity : Infinity;
            for (const i of order) {
                if (!isValid(i))
                    continue;
                if (maximize ? trials.score[i] <= best : trials.score[i] >= best)
                    continue;
                best = trials.score[i];
                out.push(i);
            }
            return out;
        }

        /* The scores of a trial with their names, if there are several. */
        function scoresText(i) {
            if (data.objectives.length === 0)
                return `score ${scoreText(i)}`;
            return data.objectives.map(({name}, k) => `${name} ${number(trials.scores[k][i])}`)
                .join(', ');
        }

        /* The text about a trial under the pointer. */
        function tipText(i) {
            const breaks = isValid(i) ? '' : `\nbreaks: ${brokenText(i)}`;
            const score = Number.isNaN(trials.score[i]) ? '' : `, ${scoresText(i)}${breaks}`;
            const values = valuesOf(i);
            const more = values.length > 12 ? `\n… and ${values.length - 12} more` : '';
            return `Trial ${trials.id[i]}: ${stateName(trials.state[i])}${score}\n` +
                `${seconds(trials.duration[i])} on worker ${trials.worker[i]}\n` +
                values.slice(0, 12).map(([name, text]) => `${name} = ${text}`).join('\n') + more;
        }

        return {
            ...data, trials, exact,
            bestIndex: data.best.length > 0 ? indexOf(data.best[0].trial) : -1,
            numbers, indexOf, lookOf, number, count, plural, percent, seconds, stateName, valueText,
            valuesOf, metricsOf, scoreOf, scoreText, isValid, brokenText, noScore, recordsOf,
            tipText, element, byId: (id) => document.getElementById(id),
        };
    }

    const {studies, ...one} = JSON.parse(document.getElementById('data').textContent);
    wickReport.studies = (studies || [one]).map(readStudy);
    [wickReport.data] = wickReport.studies;
})();
