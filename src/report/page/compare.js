/*
 * compare.js - several studies on one page: the trials on their workers on the same time axis, the
 * progress of their best scores, and a table.
 */
wickReport.compare = (() => {
    const {studies} = wickReport;
    const {number, count, plural, percent, seconds, element, byId} = wickReport.data;
    const {all, Chart, theme, readTheme, dots, nearest, ring} = wickReport.chart;
    const {segments} = wickReport.parts;
    const {drawAll, drawFirst, keepDrawn} = wickReport.drawing;
    const settings = {byTime: true, byScore: true, sideBySide: true, sameTime: true,
        log: false};

    /* ---- names, colours, and which studies can be compared ---- */

    /* A name that several studies share is followed by the folder. */
    const labels = studies.map(({study}) => {
        const isAlone = studies.filter((other) => other.study.name === study.name).length === 1;
        return isAlone ? study.name : `${study.name} (${study.folder.split('/').pop()})`;
    });

    const inks = 8;
    const inkOf = (s) => `line-${s % inks + 1}`;
    const dashOf = (s) => (s < inks ? [] : s < 2 * inks ? [8, 4] : [2, 3]);

    /* Groups of studies whose score has the same name and direction: only these can be compared. */
    const groups = [];
    studies.forEach((data, s) => {
        const {score, maximize} = data.study;
        let group = groups.find((one) => one.score === score && one.maximize === maximize);
        if (!group) {
            group = {score, maximize, members: []};
            groups.push(group);
        }
        group.members.push(s);
        data.group = group;
    });

    const isBetter = (group, a, b) => (group.maximize ? a > b : a < b);

    function prepare(data, s) {
        const {trials} = data;
        const scored = [...trials.score.keys()].filter((i) => !Number.isNaN(trials.score[i]));
        const byTime = scored.slice().sort((a, b) => trials.ended[a] - trials.ended[b]);
        Object.assign(data, {label: labels[s], scored,
            recordsByTrial: data.recordsOf(scored), recordsByTime: data.recordsOf(byTime)});
    }

    studies.forEach(prepare);

    for (const group of groups) {
        group.scores = Float64Array.from(group.members.flatMap((s) =>
            studies[s].scored.map((i) => studies[s].trials.score[i]))).sort();
        const bests = group.members.map((s) => bestOf(studies[s])).filter((best) => best !== null);
        const worstFirst = bests.sort((a, b) => (isBetter(group, a, b) ? 1 : -1));
        /* The best score that all studies with a score have reached. */
        group.common = worstFirst.length > 1 ? worstFirst[0] : null;
        group.best = worstFirst.length > 0 ? worstFirst[worstFirst.length - 1] : null;
    }

    function bestOf({trials, recordsByTime}) {
        const last = recordsByTime[recordsByTime.length - 1];
        return last === undefined ? null : trials.score[last];
    }

    /* The seconds until a study had a score at least this good; NaN: it never had. */
    function timeTo({group, trials, recordsByTime}, score) {
        const first = recordsByTime.find((i) => !isBetter(group, score, trials.score[i]));
        return first === undefined ? NaN : trials.ended[first];
    }

    /* ---- the trials on their workers ---- */

    /* From the worst to the best; light enough for a dark page and dark enough for a light one. */
    const shades = ['#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#c8e020'];

    /* The share of a group's scores that are worse. A rank is not affected by a few outliers. */
    function rank({scores, maximize}, score) {
        let low = 0, high = scores.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (scores[middle] < score)
                low = middle + 1;
            else
                high = middle;
        }
        const share = scores.length > 1 ? low / (scores.length - 1) : 1;
        return maximize ? share : 1 - share;
    }

    function shadeOf(data, i) {
        const score = data.trials.score[i];
        const isDone = data.lookOf[data.trials.state[i]] === 'done';
        if (!settings.byScore || Number.isNaN(score) || !isDone)
            return null;
        const at = Math.floor(rank(data.group, score) * shades.length);
        return shades[Math.min(shades.length - 1, at)];
    }

    const mostRows = Math.max(1, ...studies.map(({study}) => study.rows));
    const rowHeight = Math.min(40, Math.max(26, 160 / mostRows));
    const longest = Math.max(...studies.map(({study}) => study.span)) || 1;
    const shownTime = ({span}) => (settings.sameTime ? longest : span || 1);

    /* Shades the time of the study: gaps inside it are lost time, the space after it is not. */
    function paintGround(chart, study) {
        const {context, frame} = chart, end = chart.x(study.span);
        context.fillStyle = theme.raised;
        context.fillRect(frame.left, frame.top, end - frame.left, frame.bottom - frame.top);
        if (study.state !== 'running' && end < frame.right - 1) {
            context.fillStyle = theme.muted;
            context.fillRect(end, frame.top, 1, frame.bottom - frame.top);
        }
    }

    function ganttText({study, total, earlier}) {
        const again = earlier.part.filter(part => part !== 1).length;
        return `${plural(total, 'trial')} on ${plural(study.rows, 'worker')} in ` +
            `${seconds(study.wall)}.` +
            (again > 0 ? ` ${plural(again, 'earlier try', 'earlier tries')} are shown too.` : '');
    }

    function addGantt(data, s) {
        const {study} = data;
        const view = {from: 0, to: longest, top: 0, bottom: Math.max(1, study.rows)};
        const timeAxis = () => ({kind: 'time', low: 0, high: shownTime(study),
            title: 'time since the start'});
        const bars = wickReport.gantt(data, view, (i) => shadeOf(data, i));
        /* All studies have the same row height, as far as there is room. */
        const height = () => Math.min(560, Math.max(110, study.rows * rowHeight + 70));
        const parts = bars.parts(height, timeAxis);
        const canvas = element('canvas', {role: 'img', class: 'gantt',
            'aria-label': `${data.label}: ${ganttText(data)} Busy ${percent(study.busy)}.`});
        byId('gantt-body').append(element('figure', {},
            element('h3', {}, swatch(s), data.label, ' ',
                element('small', {}, `busy ${percent(study.busy)}`)),
            canvas, element('figcaption', {}, ganttText(data))));
        new Chart(canvas, {
            ...parts,
            paint(chart) {
                paintGround(chart, study);
                parts.paint(chart);
            },
            find(chart, x, y) {
                const found = parts.find(chart, x, y);
                return found && {text: `${data.label}\n${found.text}`, trial: -1};
            },
        });
    }

    const swatch = (s) => element('i', {class: 'swatch', style: `background: var(--${inkOf(s)})`});

    function addSwitch(place, name, label, choices, then) {
        const one = segments(label, choices, (value) => {
            settings[name] = value;
            one.show(value);
            then();
        });
        one.show(settings[name]);
        byId(place).append(one.node);
    }

    function stateLegend() {
        const present = new Set(studies.flatMap(({counts, lookOf}) =>
            counts.flatMap((n, code) => (n > 0 ? [lookOf[code]] : []))));
        const colours = {done: 'var(--bar)', stopped: 'var(--stopped)', running: 'var(--running)',
            failed: 'repeating-linear-gradient(135deg, var(--failed) 0 3px, var(--ground) 0 4px)'};
        return Object.entries(colours).filter(([look]) => present.has(look) &&
            !(settings.byScore && look === 'done')).map(([look, background]) =>
            element('span', {}, element('i', {style: `background: ${background}`}), look));
    }

    function fillLegend(legend) {
        const scale = element('span', {}, 'worst', element('i', {class: 'scale',
            style: `background: linear-gradient(90deg, ${shades.join(', ')})`}), 'best');
        legend.replaceChildren(...(settings.byScore ? [scale] : []), ...stateLegend());
    }

    function fillWorkers() {
        const legend = element('span', {class: 'legend'});
        const hasScores = groups.some(({scores}) => scores.length > 0);
        settings.byScore = hasScores;
        const place = () => byId('gantt-body').classList.toggle('stacked', !settings.sideBySide);
        addSwitch('gantt-controls', 'sideBySide', 'Charts',
            [['Side by side', true], ['Stacked', false]], () => {
                place();
                drawAll();
            });
        addSwitch('gantt-controls', 'sameTime', 'Time scale', [['Same', true], ['Own', false]],
            drawAll);
        addSwitch('gantt-controls', 'byScore', 'Colour',
            [['Score', true, !hasScores], ['State', false]], () => {
                fillLegend(legend);
                drawAll();
            });
        fillLegend(legend);
        byId('gantt-controls').append(legend);
        studies.forEach(addGantt);
        const [lazy] = studies.filter(({total}) => total > 0)
            .sort((a, b) => a.study.busy - b.study.busy);
        byId('gantt-text').textContent = 'Each row is a worker and each bar a trial. Gaps inside ' +
            'a study are lost time: a worker was waiting.' + (lazy === undefined ? '' :
            ` The least busy workers are those of ${lazy.label}, at ${percent(lazy.study.busy)}.`) +
            (groups.length > 1 ? ' Colours are comparable only between studies with the same score.' : '');
    }

    /* ---- convergence ---- */

    const placeOf = ({trials}, i) => (settings.byTime ? trials.ended[i] : trials.id[i]);
    const endOf = ({study, total}) => (settings.byTime ? study.span : total);
    const recordsNow = (data) => (settings.byTime ? data.recordsByTime : data.recordsByTrial);

    /*
     * The first scores of a study may be very bad. So the axis starts at the worst of the scores
     * that the studies had reached after a twentieth of their trials.
     */
    function scoreRange({members, maximize, best}) {
        const starts = members.map((s) => studies[s]).filter(({scored}) => scored.length > 0)
            .map(({trials, recordsByTrial, total}) => {
                const early = recordsByTrial.filter((i) => trials.id[i] <= Math.max(1, total / 20));
                return trials.score[early.length > 0 ? early[early.length - 1] : recordsByTrial[0]];
            }).filter((score) => score !== undefined);
        const worst = maximize ? Math.min(...starts) : Math.max(...starts);
        return {best, worst};
    }

    const canLog = (group) => group.scores.length > 0 && group.scores[0] > 0;

    function scoreAxis(group) {
        const {best, worst} = scoreRange(group), isLog = settings.log && canLog(group);
        let low = Math.min(best, worst), high = Math.max(best, worst);
        if (isLog) {
            const margin = Math.max((high / low) ** 0.05, 1.01);
            low /= margin;
            high *= margin;
        } else {
            const margin = 0.06 * (high - low || Math.abs(high) || 1);
            low -= margin;
            high += margin;
        }
        return {kind: isLog ? 'log' : 'linear', low, high, title: group.score};
    }

    function pathAxis(group) {
        const high = Math.max(1e-6, ...group.members.map((s) => endOf(studies[s])));
        if (settings.byTime)
            return {kind: 'time', low: 0, high, title: 'time since the start'};
        return {kind: 'linear', low: 0, high: Math.max(1, high), whole: true, title: 'trial'};
    }

    function paintPath(chart, s) {
        const {context} = chart, data = studies[s], {trials} = data, list = recordsNow(data);
        if (list.length === 0)
            return;
        let y = chart.y(trials.score[list[0]]);
        context.beginPath();
        context.moveTo(chart.x(placeOf(data, list[0])), y);
        for (const i of list) {
            context.lineTo(chart.x(placeOf(data, i)), y);
            y = chart.y(trials.score[i]);
            context.lineTo(chart.x(placeOf(data, i)), y);
            chart.marks.push({x: chart.x(placeOf(data, i)), y, s, i});
        }
        context.lineTo(chart.x(endOf(data)), y);
        context.strokeStyle = theme[inkOf(s)];
        context.lineWidth = 2.25;
        context.lineJoin = 'round';
        context.setLineDash(dashOf(s));
        context.stroke();
        context.setLineDash([]);
    }

    /* Dots of all trials would hide the lines of large studies. */
    const mostDots = 3000;

    function paintTrials(chart, group) {
        const shown = group.members.reduce((sum, s) => sum + studies[s].scored.length, 0);
        for (const s of shown <= mostDots ? group.members : []) {
            const data = studies[s];
            dots(chart, data.scored.map((i) => chart.x(placeOf(data, i))),
                data.scored.map((i) => chart.y(data.trials.score[i])), theme[inkOf(s)], 0.28);
        }
    }

    function paintBest(chart, group) {
        const winner = group.members.find((s) => bestOf(studies[s]) === group.best);
        const {trials} = studies[winner], list = recordsNow(studies[winner]);
        const last = list[list.length - 1];
        ring(chart, chart.x(placeOf(studies[winner], last)), chart.y(trials.score[last]));
    }

    function findMark({marks}, x, y) {
        const at = nearest(marks.map((mark) => mark.x), marks.map((mark) => mark.y), x, y);
        if (at < 0)
            return null;
        const {s, i} = marks[at], {label, trials, tipText} = studies[s];
        return {text: `${label}, after ${seconds(trials.ended[i])}\n${tipText(i)}`, trial: -1};
    }

    function convergenceText(group) {
        const winners = group.members.filter((s) => bestOf(studies[s]) === group.best)
            .map((s) => labels[s]).join(' and ');
        const times = group.members.filter((s) => bestOf(studies[s]) !== null).map((s) =>
            `${labels[s]} after ${seconds(timeTo(studies[s], group.common))}`);
        return `The best ${group.score} is ${number(group.best)}, from ${winners}.` +
            (group.common === null ? '' :
                ` All studies reached ${number(group.common)}: ${times.join(', ')}.`) +
            ' Each line is the best score so far of a study, up to its end.';
    }

    function addConvergence(group) {
        const text = element('figcaption', {});
        const canvas = element('canvas', {role: 'img', class: 'path'});
        const legend = element('span', {class: 'legend'}, ...group.members.map((s) =>
            element('span', {}, swatch(s), labels[s])));
        const direction = group.maximize ? 'larger is better' : 'smaller is better';
        byId('convergence-body').append(element('figure', {},
            element('h3', {}, group.score, ' ', element('small', {}, direction)), legend, canvas,
            text));
        if (group.best === null) {
            canvas.hidden = true;
            text.textContent = 'No trial has a score.';
            return;
        }
        text.textContent = convergenceText(group);
        canvas.setAttribute('aria-label', text.textContent);
        new Chart(canvas, {
            height: () => (innerWidth < 720 ? 280 : 380),
            x: () => pathAxis(group), y: () => scoreAxis(group), find: findMark,
            paint(chart) {
                chart.marks = [];
                paintTrials(chart, group);
                group.members.forEach((s) => paintPath(chart, s));
                paintBest(chart, group);
            },
        });
    }

    /* True if the scores shown span orders of magnitude, where a logarithmic axis helps. */
    function prefersLog(group) {
        const {best, worst} = scoreRange(group);
        return canLog(group) && Math.max(best, worst) > 30 * Math.min(best, worst);
    }

    function fillConvergence() {
        const shown = groups.filter(({best}) => best !== null);
        settings.log = shown.some(prefersLog);
        const redraw = () => all.forEach((chart) => chart.marks && chart.draw());
        if (shown.length > 0) {
            addSwitch('convergence-controls', 'byTime', 'Along',
                [['Time', true], ['Trials', false]], redraw);
            addSwitch('convergence-controls', 'log', 'Score',
                [['Linear', false], ['Log', true, !shown.some(canLog)]], redraw);
        }
        groups.forEach(addConvergence);
    }

    /* ---- the table ---- */

    const countOf = ({counts, states}, state) => count(counts[states.indexOf(state)]);

    function algorithmText({study}) {
        return study.algorithm + (study.batch > 0 ? `, rounds of ${count(study.batch)}` : '') +
            (study.stop ? `, stopped by ${study.stop}` : '') + `, seed ${study.seed}`;
    }

    function foundText({trials, recordsByTime}) {
        const last = recordsByTime[recordsByTime.length - 1];
        return last === undefined ? '–' :
            `trial ${count(trials.id[last])}, after ${seconds(trials.ended[last])}`;
    }

    function scoreCell(data) {
        const score = bestOf(data);
        const text = score === null ? '–' : number(score);
        const isBest = data.group.common !== null && score === data.group.best;
        return isBest ? element('strong', {}, text) : text;
    }

    /* For each row, its title and a cell per study; a row without any content is left out. */
    function rows() {
        const sameScore = groups.length === 1;
        const [{score, common}] = groups;
        const each = (title, cell) => [title, studies.map(cell)];
        const names = [...new Set(studies.flatMap(({parameters}) =>
            parameters.map(({name}) => name)))];
        return [
            each('State', ({study}) => study.stateText),
            each('Algorithm', algorithmText),
            each('Trials', ({study, total}) => count(total) +
                (study.budget > 0 ? ` of ${count(study.budget)}` : '')),
            each('Done', (data) => countOf(data, 'done')),
            each('Stopped early', (data) => countOf(data, 'stopped')),
            each('Failed', ({failed}) => count(failed)),
            each('Running', (data) => countOf(data, 'running')),
            each(sameScore ? `Best ${score}` : 'Best score', scoreCell),
            ...(sameScore ? [] : [each('Score', ({study}) => study.score)]),
            each('Found by', foundText),
            ...(sameScore && common !== null ? [each(`Time to ${number(common)}`,
                (data) => seconds(timeTo(data, common)))] : []),
            each('Wall time', ({study}) => seconds(study.wall)),
            each('Node-hours', ({study}) => number(study.nodeHours, 3)),
            each('Workers', ({study}) => count(study.workers)),
            each('Busy', ({study}) => percent(study.busy)),
            each('Lost by workers', ({study}) =>
                seconds(study.workers * study.wall * (1 - study.busy))),
            each('Folder', ({study}) => element('code', {}, study.folder)),
            ['Parameters of the best', null],
            ...names.map((name) => each(name, ({best, parameters}) => {
                const at = parameters.findIndex((parameter) => parameter.name === name);
                const text = best.length > 0 && at >= 0 ? best[0].values[at] : null;
                return text === null ? '–' : Number.isNaN(Number(text)) || text === '' ? text :
                    element('span', {title: text}, number(Number(text)));
            })),
        ].filter(([title, cells]) => !(['Stopped early', 'Failed', 'Running'].includes(title) &&
            cells.every((text) => text === '0')));
    }

    function fillTable() {
        const head = element('tr', {}, element('td', {}), ...labels.map((label, s) =>
            element('th', {scope: 'col'}, swatch(s), label)));
        byId('table-body').append(element('table', {class: 'facing'},
            element('thead', {}, head),
            element('tbody', {}, ...rows().map(([title, cells]) => (cells === null ?
                element('tr', {class: 'part'}, element('th', {scope: 'rowgroup',
                    colspan: studies.length + 1}, title)) :
                element('tr', {}, element('th', {scope: 'row'}, title),
                    ...cells.map((cell) => element('td', {}, cell))))))));
    }

    /* ---- the start ---- */

    function fillHeader() {
        const running = studies.filter(({study}) => study.state === 'running');
        const made = studies[0].study.made.replace('T', ' ').replace('Z', ' UTC');
        byId('kind').textContent = `${plural(studies.length, 'Wick study', 'Wick studies')}`;
        byId('made').textContent = `This page was made at ${made}.`;
        byId('live').hidden = running.length === 0;
        const namesOf = (list) => list.map(({label}) => label).join(' and ');
        byId('live').textContent = `${namesOf(running)} continued since then: run wick report ` +
            'again for an update.';
        const thinned = studies.filter(({kept, total}) => kept < total);
        byId('thinned').hidden = thinned.length === 0;
        byId('thinned').textContent = `For ${namesOf(thinned)}, this page shows an even selection of ` +
            'trials, the best, and every improvement. Counts, times and shares cover all trials.';
    }

    function start() {
        readTheme();
        fillHeader();
        fillWorkers();
        fillConvergence();
        fillTable();
        drawFirst();
        keepDrawn();
    }

    return {start, settings, groups};
})();

wickReport.compare.start();
