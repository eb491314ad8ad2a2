/* page.js - the page's sections of text and tables, and the start of it all. */
wickReport.page = (() => {
    const {study, trials, parameters, best, failures, failed, total, kept, counts, states, exact,
        lookOf, number, count, plural, percent, seconds, stateName, valueText, valuesOf, scoreText,
        noScore, indexOf, element, byId} = wickReport.data;
    const {all, readTheme} = wickReport.chart;

    /* ---- small parts ---- */

    function stateLabel(code) {
        const colour = `background: var(--${lookOf[code]})`;
        return element('span', {class: 'state-name'},
            element('span', {class: 'dot', style: colour}), stateName(code));
    }

    function copyButton(pre) {
        const button = element('button', {class: 'push', type: 'button'}, 'Copy');
        button.addEventListener('click', async () => {
            getSelection().selectAllChildren(pre);
            try {
                await navigator.clipboard.writeText(pre.textContent);
                button.textContent = 'Copied';
            } catch {
                /* A page from a file has no clipboard in some browsers; the text is selected. */
                button.textContent = 'Selected: press Ctrl+C';
            }
        });
        return button;
    }

    function commandBlock(command) {
        const pre = element('pre', {tabindex: 0}, command);
        const title = study.isFunction ? 'The function with these parameters' :
            'The same run as a command line';
        return element('div', {class: 'command'}, element('p', {class: 'note'}, title), pre,
            copyButton(pre));
    }

    function valueTable(rows) {
        return element('table', {}, element('tbody', {}, ...rows.map(([name, text]) =>
            element('tr', {}, element('th', {scope: 'row'}, name),
                element('td', {class: 'mono'}, text)))));
    }

    function trialLink(id) {
        const i = indexOf(id);
        if (i < 0)
            return String(id);
        return element('button', {class: 'link', type: 'button',
            'aria-label': `Details of trial ${id}`, onclick: () => showTrial(i)}, String(id));
    }

    function definitions(list, rows) {
        list.append(...rows.map(([term, ...text]) => element('div', {}, element('dt', {}, term),
            element('dd', {}, ...text))));
    }

    /* Terminal colours, and progress bars that overwrite themselves, are noise on a page. */
    function logBlock(failure) {
        const text = failure.log.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r+\n/g, '\n')
            .replace(/[^\n]*\r(?=[^\n])/g, '');
        const note = failure.cut ? '(earlier lines are left out)\n' : '';
        return element('pre', {class: 'fold', tabindex: 0}, note + text);
    }

    /* Everything that the page knows of one trial. */
    function showTrial(i) {
        const dialog = byId('trial');
        const id = trials.id[i];
        const failure = failures.find((item) => item.trial === id);
        const facts = [['score', scoreText(i)], ['state', stateName(trials.state[i])],
            ['duration', seconds(trials.duration[i])],
            ['started after', seconds(trials.started[i])],
            ['worker', number(trials.worker[i])], ['tries', number(trials.tries[i])]];
        if (failure)
            facts.push(['reason', failure.reason]);
        dialog.replaceChildren(
            element('button', {class: 'push close', type: 'button', onclick: () => dialog.close()},
                'Close'),
            element('h2', {id: 'trial-title'}, `Trial ${id}`), valueTable(facts),
            element('h3', {}, 'Parameters'), valueTable(valuesOf(i)));
        if (exact.has(id))
            dialog.append(commandBlock(exact.get(id).command));
        if (failure && failure.log)
            dialog.append(element('h3', {}, 'End of its output'), logBlock(failure));
        dialog.showModal();
    }

    /* ---- the header ---- */

    const dateText = (date) => date.replace('T', ' ').replace('Z', ' UTC');

    function fillHeader() {
        const colours = {running: 'running', crashed: 'failed', interrupted: 'stopped'};
        const style = `background: var(--${colours[study.state] || 'done'})`;
        byId('state').append(element('span', {class: 'dot', style}), study.stateText);
        const small = (text) => element('small', {}, ` ${text}`);
        definitions(byId('numbers'), [
            ['Best score', best.length > 0 ? number(Number(best[0].score)) : '–'],
            ['Trials', count(total), study.budget > 0 ? small(`of ${count(study.budget)}`) : null],
            ['Done', count(counts[states.indexOf('done')])],
            ['Failed', count(failed)],
            ['Running', count(counts[states.indexOf('running')])],
            ['Wall time', seconds(study.wall)],
            ['Workers', count(study.workers)],
            ['Busy', percent(study.busy)],
        ]);
        const facts = byId('facts');
        for (const [term, text] of [
            [study.isFunction ? 'Function' : 'Command', element('code', {}, study.command)],
            ['Score', `${study.score}, ${study.maximize ? 'larger' : 'smaller'} is better`],
            ['Algorithm', `${study.algorithm}, seed ${study.seed}`],
            ['Began', dateText(study.created)], ['Folder', element('code', {}, study.folder)],
            ['Report made', dateText(study.made)]])
            facts.append(element('dt', {}, term), element('dd', {}, text));
        if (kept < total) {
            byId('thinned').hidden = false;
            byId('thinned').textContent = `This page has ${count(kept)} of ${count(total)} ` +
                'trials: an even choice, the best, every improvement and the last failures. ' +
                'Counts, times and shares are of all trials. “wick export” writes every trial.';
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
            element('div', {}, element('p', {class: 'score'}, first.score),
                element('p', {class: 'note'}, `${study.score} of trial `, trialLink(first.trial),
                    `, ${seconds(trials.duration[i])} on worker ${trials.worker[i]}`),
                valueTable(valuesOf(i))),
            commandBlock(first.command)));
        const head = ['', 'Trial', study.score, ...parameters.map((parameter) => parameter.name)];
        byId('top-body').append(element('table', {},
            element('thead', {}, element('tr', {}, ...head.map((name) =>
                element('th', {scope: 'col'}, name)))),
            element('tbody', {}, ...best.map((item, rank) => element('tr', {},
                element('td', {}, String(rank + 1)), element('td', {}, trialLink(item.trial)),
                element('td', {title: item.score}, number(Number(item.score))),
                ...item.values.map((text, p) => valueCell(p, indexOf(item.trial), text)))))));
    }

    function valueCell(p, i, exactText) {
        return element('td', {title: exactText === null ? 'not active' : exactText},
            element('span', {class: 'clip'}, valueText(p, i)));
    }

    /* ---- failures ---- */

    function failureRow(failure) {
        const log = failure.log === '' ? null : element('details', {},
            element('summary', {}, 'End of its output'), logBlock(failure));
        return element('tr', {}, element('td', {}, trialLink(failure.trial)),
            element('td', {}, stateLabel(failure.state)),
            element('td', {'data-label': 'after'}, seconds(failure.ended)),
            element('td', {'data-label': 'on worker'}, String(failure.worker)),
            element('td', {class: 'text'}, failure.reason, log));
    }

    function fillFailures() {
        const body = byId('failures-body');
        if (failed === 0) {
            body.append(element('p', {}, 'No trial failed.'));
            return;
        }
        const shown = failures.length < failed ? `The last ${count(failures.length)} of ` : '';
        body.append(element('p', {class: 'note'}, `${shown}${plural(failed, 'failed trial')}, ` +
            `${percent(failed / total)} of all, the last to end first.`),
        element('div', {class: 'wide'}, element('table', {},
            element('thead', {}, element('tr', {}, ...['Trial', 'State', 'Ended after', 'Worker',
                'Reason'].map((name) => element('th', {scope: 'col'}, name)))),
            element('tbody', {}, ...failures.map(failureRow)))));
    }

    /* A study from the command line is kept as JSON on one line. */
    function definitionText() {
        try {
            return JSON.stringify(JSON.parse(study.definition), null, 2);
        } catch {
            return study.definition;
        }
    }

    /* ---- all trials ---- */

    const pageSize = 50;
    const table = {order: [], page: 0, column: 0, down: false, state: -1};

    const columns = [
        {name: 'Trial', key: (i) => trials.id[i], cell: (i) => trialLink(trials.id[i]),
            number: true},
        {name: 'State', key: (i) => trials.state[i], cell: (i) => stateLabel(trials.state[i])},
        {name: study.score, key: (i) => trials.score[i], cell: (i) => number(trials.score[i]),
            number: true},
        {name: 'Started', key: (i) => trials.started[i], cell: (i) => seconds(trials.started[i]),
            number: true},
        {name: 'Duration', key: (i) => trials.duration[i], cell: (i) => seconds(trials.duration[i]),
            number: true},
        {name: 'Worker', key: (i) => trials.worker[i], cell: (i) => number(trials.worker[i]),
            number: true},
        {name: 'Tries', key: (i) => trials.tries[i], cell: (i) => number(trials.tries[i]),
            number: true},
        ...parameters.map((parameter, p) => ({
            name: parameter.name, key: (i) => (trials.parameters[p] ? trials.parameters[p][i] : 0),
            cell: (i) => element('span', {class: 'clip'}, valueText(p, i)),
            number: !parameter.values,
        })),
    ];

    /* What has no value stands last, whichever way the table is sorted. */
    function sortTable() {
        const keys = new Float64Array(trials.count);
        const {key} = columns[table.column], sign = table.down ? -1 : 1;
        for (let i = 0; i < trials.count; i++) {
            const value = sign * key(i);
            keys[i] = Number.isNaN(value) ? Infinity : value;
        }
        const order = [];
        for (let i = 0; i < trials.count; i++)
            if (table.state < 0 || trials.state[i] === table.state)
                order.push(i);
        /* Equal infinities must not give NaN. */
        order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
        table.order = order;
        table.page = 0;
    }

    function headCell(column, c) {
        const isSorted = table.column === c;
        const arrow = isSorted ? (table.down ? ' ↓' : ' ↑') : '';
        return element('th', {scope: 'col', class: column.number && 'number',
            'aria-sort': isSorted && (table.down ? 'descending' : 'ascending')},
        element('button', {type: 'button', onclick: () => {
            table.down = isSorted && !table.down;
            table.column = c;
            sortTable();
            showTable();
            byId('trials-body').querySelectorAll('th button')[c].focus();
        }}, column.name + arrow));
    }

    function showTable() {
        const from = table.page * pageSize;
        const rows = table.order.slice(from, from + pageSize);
        byId('trials-body').replaceChildren(element('table', {},
            element('thead', {}, element('tr', {}, ...columns.map(headCell))),
            element('tbody', {}, ...rows.map((i) => element('tr', {}, ...columns.map((column) =>
                element('td', {class: column.number ? 'number' : ''}, column.cell(i))))))));
        const end = Math.min(from + pageSize, table.order.length);
        byId('trials-range').textContent = table.order.length === 0 ? 'none' :
            `${count(from + 1)} to ${count(end)} of ${count(table.order.length)}`;
        byId('trials-before').disabled = table.page === 0;
        byId('trials-after').disabled = end >= table.order.length;
    }

    function fillTable() {
        const turn = (step) => () => {
            table.page += step;
            showTable();
        };
        const choice = element('select', {id: 'trials-state', onchange: () => {
            table.state = Number(choice.value);
            sortTable();
            showTable();
        }}, element('option', {value: -1}, `all (${count(total)})`), ...states.map((name, code) =>
            (counts[code] > 0 ? element('option', {value: code},
                `${stateName(code)} (${count(counts[code])})`) : null)));
        byId('trials-controls').append(
            element('span', {class: 'group'}, element('label', {for: 'trials-state'}, 'State'),
                choice),
            element('span', {class: 'segments'},
                element('button', {class: 'push', type: 'button', id: 'trials-before',
                    onclick: turn(-1)}, 'Previous'),
                element('button', {class: 'push', type: 'button', id: 'trials-after',
                    onclick: turn(1)}, 'Next')),
            element('span', {id: 'trials-range', class: 'note', role: 'status'}));
        sortTable();
        showTable();
    }

    /* ---- the start ---- */

    const drawAll = () => all.forEach((chart) => chart.draw());

    /* The first charts are drawn at once; of hundreds of parameters the rest when it is seen. */
    function drawFirst() {
        const atOnce = 28;
        all.slice(0, atOnce).forEach((chart) => chart.draw());
        const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
            const chart = all.find((candidate) => candidate.canvas === entry.target);
            if (entry.isIntersecting && !chart.frame)
                chart.draw();
        }));
        all.slice(atOnce).forEach((chart) => {
            chart.canvas.style.height = `${chart.parts.height()}px`;
            observer.observe(chart.canvas);
        });
    }

    function keepDrawn() {
        const fit = () => all.forEach((chart) => {
            if (chart.frame && chart.canvas.clientWidth !== chart.width)
                chart.draw();
        });
        window.addEventListener('resize', fit);
        /* Other reasons, such as a scroll bar; drawing at once could make the observer loop. */
        const observer = new ResizeObserver(() => requestAnimationFrame(fit));
        observer.observe(document.querySelector('main'));
        const repaint = () => {
            readTheme();
            drawAll();
        };
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
        /* Paper is white: the light colours are taken for it. */
        const root = document.documentElement;
        window.addEventListener('beforeprint', () => {
            root.dataset.print = '';
            repaint();
        });
        window.addEventListener('afterprint', () => {
            delete root.dataset.print;
            repaint();
        });
    }

    function start() {
        readTheme();
        fillHeader();
        fillBest();
        wickReport.scores.fillConvergence();
        wickReport.workers.fill();
        wickReport.scores.fillParameters();
        fillFailures();
        byId('definition').textContent = definitionText();
        fillTable();
        fillContents();
        drawFirst();
        keepDrawn();
        byId('trial').addEventListener('click', (event) => event.target === byId('trial') &&
            byId('trial').close());
        document.body.dataset.ready = all.filter((chart) => chart.frame).length;
    }

    return {start, showTrial};
})();

wickReport.page.start();
