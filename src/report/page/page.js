/* page.js - the sections of text and tables, and the start of the page. */
wickReport.page = (() => {
    const {study, trials, parameters, metrics, objectives, best, failed, total, kept, counts, states, number,
        count, percent, seconds, valueText, valuesOf, metricsOf, noScore, indexOf, element,
        byId} = wickReport.data;
    const {readTheme} = wickReport.chart;
    const {drawFirst, keepDrawn} = wickReport.drawing;
    const {commandBlock, valueTable, trialLink} = wickReport.parts;
    const {isNumeric} = wickReport.table;

    function definitions(list, rows) {
        list.append(...rows.map(([term, ...text]) => element('div', {}, element('dt', {}, term),
            element('dd', {}, ...text))));
    }

    /* ---- the header ---- */

    const dateText = (date) => date.replace('T', ' ').replace('Z', ' UTC');

    function scoreFact() {
        const all = objectives.length > 0 ? objectives :
            [{name: study.score, maximize: study.maximize}];
        return all.map(({name, maximize}) =>
            `${name}, ${maximize ? 'larger' : 'smaller'} is better`).join('; ');
    }

    function fillHeader() {
        const colours = {running: 'running', crashed: 'failed', halted: 'failed', broken: 'failed',
            interrupted: 'stopped'};
        const style = `background: var(--${colours[study.state] || 'done'})`;
        byId('state').append(element('span', {class: 'dot', style}), study.stateText);
        if (study.state === 'running')
            byId('live').append(`This page was made at ${dateText(study.made)}, while the study ` +
                'was running. For an update, run ', element('code', {}, `wick report ${study.folder}`),
            ' again.');
        byId('live').hidden = study.state !== 'running';
        const stopped = counts[states.indexOf('stopped')];
        const small = (text) => element('small', {}, ` ${text}`);
        definitions(byId('numbers'), [
            objectives.length > 0 ? ['On the front', count(wickReport.front.onFront.length)] :
                ['Best score', best.length > 0 ? number(Number(best[0].score)) : '–'],
            ['Trials', count(total), study.budget > 0 ? small(`of ${count(study.budget)}`) : null],
            ['Done', count(counts[states.indexOf('done')])],
            ...(stopped > 0 ? [['Stopped', count(stopped)]] : []),
            ['Failed', count(failed)],
            ['Running', count(counts[states.indexOf('running')])],
            ['Wall time', seconds(study.wall)],
            ...(study.nodeHours >= 0.005 ? [['Node-hours', number(study.nodeHours, 3),
                study.nodeHoursLeft > 0 ? small(`about ${number(study.nodeHoursLeft, 3)} left`) :
                    null]] : []),
            ['Workers', count(study.workers)],
            ['Busy', percent(study.busy)],
        ]);
        const facts = byId('facts');
        for (const [term, text] of [
            [study.isFunction ? 'Function' : 'Command', element('code', {}, study.command)],
            [objectives.length > 0 ? 'Scores' : 'Score', scoreFact()],
            ['Algorithm', `${study.algorithm}, seed ${study.seed}` +
                (study.batch > 0 ? `, in rounds of ${count(study.batch)}` : '') +
                (study.stop ? `, trials stopped early by ${study.stop}` : '')],
            ['Began', dateText(study.created)], ['Folder', element('code', {}, study.folder)],
            ['Report made', dateText(study.made)]])
            facts.append(element('dt', {}, term), element('dd', {}, text));
        if (kept < total) {
            byId('thinned').hidden = false;
            byId('thinned').textContent = `This page shows ${count(kept)} of ${count(total)} ` +
                'trials: an even selection, the best, every improvement and the last failures. ' +
                'Counts, times and shares cover all trials. “wick export” writes every trial.';
        }
    }

    function fillContents() {
        const sections = [...document.querySelectorAll('section:not([hidden])')];
        byId('contents').append(...sections.map((section) =>
            element('a', {href: `#${section.id}`}, section.querySelector('h2').textContent)));
    }

    /* ---- the best ---- */

    function fillBest() {
        if (best.length === 0) {
            byId('best-body').append(element('p', {}, noScore));
            byId('top').hidden = true;
            return;
        }
        const first = best[0], i = indexOf(first.trial);
        byId('best-body').append(element('div', {class: 'split'},
            element('div', {},
                element('p', {class: 'score', title: first.score}, number(Number(first.score))),
                element('p', {class: 'note'}, `${study.score} of trial `, trialLink(first.trial),
                    `, ${seconds(trials.duration[i])} on worker ${trials.worker[i]}`),
                valueTable([...metricsOf(i), ...valuesOf(i)])),
            commandBlock(first.command)));
        byId('top').hidden = best.length === 1;
        if (objectives.length > 0)
            byId('best-title').textContent = `Best ${study.score}`;
        byId('top-title').textContent = objectives.length > 0 ?
            `The ${count(best.length)} on the front` : best.length < 10 ? `The ${best.length} best` :
            'The ten best';
        fillTop();
    }

    function fillTop() {
        const shown = metrics.slice(0, 6);
        const cell = (tag, isNumber, title, ...content) => element(tag,
            {class: isNumber && 'number', scope: tag === 'th' && 'col', title}, ...content);
        const head = [['', true], ['Trial', true], [study.score, true],
            ...shown.map((name) => [name, true]),
            ...parameters.map((parameter) => [parameter.name, isNumeric(parameter)])];
        const row = (item, rank) => {
            const i = indexOf(item.trial);
            return element('tr', {}, cell('td', true, false, String(rank + 1)),
                cell('td', true, false, trialLink(item.trial)),
                cell('td', true, item.score, number(Number(item.score))),
                ...shown.map((_, m) => cell('td', true, item.metrics[m] || 'unknown',
                    number(trials.metrics[m][i]))),
                ...parameters.map((parameter, p) => cell('td', isNumeric(parameter),
                    item.values[p] === null ? 'not active' : item.values[p],
                    element('span', {class: 'clip'}, valueText(p, i)))));
        };
        byId('top-body').append(element('table', {},
            element('thead', {}, element('tr', {}, ...head.map(([name, isNumber]) =>
                cell('th', isNumber, false, name)))),
            element('tbody', {}, ...best.map(row))));
    }

    /* ---- the study file ---- */

    /* A study from the command line is kept as JSON on one line. */
    function definitionText() {
        try {
            return JSON.stringify(JSON.parse(study.definition), null, 2);
        } catch {
            return study.definition;
        }
    }

    /* ---- the start ---- */

    function start() {
        readTheme();
        fillHeader();
        fillBest();
        wickReport.front.fill();
        wickReport.scores.fillConvergence();
        wickReport.curves.fill();
        wickReport.importance.fill();
        wickReport.scores.fillParameters();
        wickReport.workers.fill();
        wickReport.failures.fill();
        byId('definition').textContent = definitionText();
        wickReport.table.fill();
        fillContents();
        drawFirst();
        keepDrawn();
        byId('trial').addEventListener('click', (event) => event.target === byId('trial') &&
            byId('trial').close());
    }

    return {start};
})();

wickReport.page.start();
