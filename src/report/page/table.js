/* table.js - the table of all trials, which can be sorted, filtered and paged through. */
wickReport.table = (() => {
    const {study, trials, parameters, metrics, objectives, broken, brokenText, total, kept, counts, states, exact, number, count,
        seconds, stateName, valueText, element, byId} = wickReport.data;
    const {stateLabel, trialLink} = wickReport.parts;

    const pageSize = 50;
    const table = {order: [], page: 0, column: 0, down: false, state: -1, words: []};

    /* Numbers are aligned to the right, under their heading; so are choices between numbers. */
    const isNumeric = (parameter) => !parameter.values ||
        parameter.values.every((text) => text !== '' && Number.isFinite(Number(text)));

    function parameterColumn(parameter, p) {
        const column = trials.parameters[p];
        return {name: parameter.name, key: (i) => column[i], number: isNumeric(parameter),
            cell: (i) => element('span', {class: 'clip'}, valueText(p, i)),
            title: (i) => exact.get(trials.id[i]).values[p]};
    }

    /* A constant would be the same in every row. */
    const columns = [
        {name: 'Trial', key: (i) => trials.id[i], cell: (i) => trialLink(trials.id[i])},
        {name: 'State', key: (i) => trials.state[i], cell: (i) => stateLabel(trials.state[i]),
            number: false},
        {name: study.score, key: (i) => trials.score[i], cell: (i) => number(trials.score[i]),
            title: (i) => exact.get(trials.id[i]).score},
        ...metrics.map((name, m) => ({name, key: (i) => trials.metrics[m][i],
            cell: (i) => number(trials.metrics[m][i]),
            title: (i) => exact.get(trials.id[i]).metrics[m]})),
        ...(objectives.length === 0 ? [] : [{name: 'Front', key: (i) => -trials.front[i],
            cell: (i) => (trials.front[i] ? 'yes' : ''), number: false}]),
        ...(broken.length === 0 ? [] : [{name: 'Breaks', key: (i) => trials.broken[i],
            cell: (i) => element('span', {class: 'clip'}, brokenText(i)), number: false}]),
        ...parameters.map((parameter, p) => trials.parameters[p] && parameterColumn(parameter, p))
            .filter((column) => column),
        {name: 'Duration', key: (i) => trials.duration[i],
            cell: (i) => seconds(trials.duration[i])},
        {name: 'Started', key: (i) => trials.started[i], cell: (i) => seconds(trials.started[i])},
        {name: 'Worker', key: (i) => trials.worker[i], cell: (i) => number(trials.worker[i])},
        {name: 'Tries', key: (i) => trials.tries[i], cell: (i) => number(trials.tries[i])},
    ].map((column) => ({number: true, ...column}));

    /* ---- sorting and filtering ---- */

    /*
     * Returns a test of a trial: whether one of its values contains this word or, for a number,
     * starts with it (64 is in too many numbers). Choices are looked up once; numbers are formatted
     * only for a word that could start one.
     */
    function matcher(word) {
        const isNumber = /^[-.\d][-.\de]*$/.test(word);
        const tests = parameters.flatMap((parameter, p) => {
            const column = trials.parameters[p];
            if (!column || (!parameter.values && !isNumber))
                return [];
            if (!parameter.values)
                return [(i) => !Number.isNaN(column[i]) && valueText(p, i).startsWith(word)];
            const hits = parameter.values.map((text) => (isNumeric(parameter) ?
                text.startsWith(word) : text.toLowerCase().includes(word)));
            return [(i) => hits[column[i]]];
        });
        return (i) => tests.some((test) => test(i));
    }

    function filtered() {
        const tests = table.words.map(matcher);
        const order = [];
        for (let i = 0; i < trials.count; i++)
            if ((table.state < 0 || trials.state[i] === table.state) &&
                tests.every((test) => test(i)))
                order.push(i);
        return order;
    }

    /* Trials without a value come last, whichever way the table is sorted. */
    function arrange() {
        const keys = new Float64Array(trials.count);
        const {key} = columns[table.column], sign = table.down ? -1 : 1;
        for (let i = 0; i < trials.count; i++) {
            const value = sign * key(i);
            keys[i] = Number.isNaN(value) ? Infinity : value;
        }
        /* The difference of equal infinities would be NaN. */
        table.order = filtered().sort((a, b) =>
            (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
        table.page = 0;
        show();
    }

    /* ---- the table ---- */

    function headCell(column, c) {
        const isSorted = table.column === c;
        return element('th', {scope: 'col', class: column.number && 'number',
            'aria-sort': isSorted && (table.down ? 'descending' : 'ascending')},
        element('button', {type: 'button', onclick: () => {
            table.down = isSorted && !table.down;
            table.column = c;
            arrange();
            byId('trials-body').querySelectorAll('th button')[c].focus();
        }}, column.name));
    }

    function bodyCell(column, i) {
        const title = column.title && exact.has(trials.id[i]) && column.title(i);
        return element('td', {class: column.number && 'number', title: title || false},
            column.cell(i));
    }

    function show() {
        const body = byId('trials-body'), left = body.scrollLeft;
        const from = table.page * pageSize;
        const rows = table.order.slice(from, from + pageSize);
        body.replaceChildren(element('table', {},
            element('thead', {}, element('tr', {}, ...columns.map(headCell))),
            element('tbody', {}, ...rows.map((i) => element('tr', {},
                ...columns.map((column) => bodyCell(column, i)))))));
        if (left > 0 || body.scrollTop > 0)
            body.scrollTo(left, 0);
        requestAnimationFrame(() => {
            byId('trials-more').hidden = body.scrollWidth <= body.clientWidth;
        });
        const end = Math.min(from + pageSize, table.order.length);
        byId('trials-range').textContent = table.order.length === 0 ? 'none' :
            `${count(from + 1)} to ${count(end)} of ${count(table.order.length)}`;
        byId('trials-before').disabled = table.page === 0;
        byId('trials-after').disabled = end >= table.order.length;
    }

    /* ---- its controls ---- */

    /* Counts the trials on the page, since a filter can find no more. */
    function stateChoice() {
        const shown = kept < total ? states.map((_, code) =>
            trials.state.reduce((n, state) => n + (state === code), 0)) : counts;
        const choice = element('select', {id: 'trials-state', onchange: () => {
            table.state = Number(choice.value);
            arrange();
        }}, element('option', {value: -1}, `all (${count(trials.count)})`),
        ...states.map((_, code) => (shown[code] > 0 ? element('option', {value: code},
            `${stateName(code)} (${count(shown[code])})`) : null)));
        return choice;
    }

    /* An example from this study, such as "sgd 16". */
    function example() {
        return parameters.filter((parameter, p) => parameter.values && trials.parameters[p])
            .slice(0, 2).map((parameter) => parameter.values[0]).join(' ');
    }

    function searchBox() {
        let waiting = 0;
        return element('input', {id: 'trials-text', type: 'search', placeholder: example(),
            autocomplete: 'off', oninput: (event) => {
                clearTimeout(waiting);
                table.words = event.target.value.toLowerCase().split(/\s+/).filter((word) => word);
                waiting = setTimeout(arrange, trials.count > 5000 ? 200 : 0);
            }});
    }

    function fill() {
        const turn = (step) => () => {
            table.page += step;
            show();
        };
        const button = (name, id, step) => element('button', {class: 'push', type: 'button', id,
            onclick: turn(step)}, name);
        const labelled = (name, control) => element('span', {class: 'group'},
            element('label', {for: control.id}, name), control);
        byId('trials-controls').append(labelled('State', stateChoice()),
            labelled('With the values', searchBox()),
            element('span', {class: 'segments'}, button('Previous', 'trials-before', -1),
                button('Next', 'trials-after', 1)),
            element('span', {id: 'trials-range', class: 'note', role: 'status'}),
            element('span', {id: 'trials-more', class: 'note'},
                'Scroll sideways for all columns.'));
        arrange();
    }

    return {fill, isNumeric, arrange};
})();
