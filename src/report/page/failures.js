/* failures.js - the last failures, grouped by kind. */
wickReport.failures = (() => {
    const {failures, failed, total, counts, lookOf, count, plural, percent, seconds, stateName,
        element, byId} = wickReport.data;
    const {trialLink, logText, logBlock} = wickReport.parts;

    const lastLine = (failure) => logText(failure).trimEnd().split('\n').pop().trim();

    /* Failures are of one kind if their reason and last line agree, apart from numbers. */
    function kinds() {
        const groups = new Map();
        for (const failure of failures) {
            const line = lastLine(failure);
            const alike = line.replace(/0x[0-9a-f]+|[-+]?\d[\d.]*(e[-+]?\d+)?/gi, '#');
            const key = JSON.stringify([failure.state, failure.reason, alike]);
            if (!groups.has(key))
                groups.set(key, []);
            groups.get(key).push({...failure, line});
        }
        return [...groups.values()];
    }

    function row(failure) {
        const log = failure.log === '' ? null : element('details', {},
            element('summary', {}, 'End of its output'), logBlock(failure));
        return element('tr', {}, element('td', {}, trialLink(failure.trial)),
            element('td', {'data-label': 'after'}, seconds(failure.ended)),
            element('td', {'data-label': 'on worker'}, String(failure.worker)),
            element('td', {class: 'text'}, log || 'It printed nothing.'));
    }

    function group(list) {
        const [{state, reason, line}] = list;
        return element('details', {class: 'kind-of-failure'},
            element('summary', {}, `${count(list.length)} × ${reason || stateName(state)}`,
                line === '' ? null : element('code', {}, line)),
            element('div', {class: 'wide'}, element('table', {},
                element('thead', {}, element('tr', {}, ...['Trial', 'Ended after', 'Worker',
                    'Output'].map((name) => element('th', {scope: 'col'}, name)))),
                element('tbody', {}, ...list.map(row)))));
    }

    function fill() {
        const body = byId('failures-body');
        if (failed === 0) {
            body.append(element('p', {}, 'No trial failed.'));
            return;
        }
        const states = counts.flatMap((n, code) =>
            (n > 0 && lookOf[code] === 'failed' ? [`${count(n)} ${stateName(code)}`] : []));
        const shown = failures.length < failed ?
            ` Shown are the last ${count(failures.length)}.` : '';
        const split = states.length > 1 ? `: ${states.join(', ')}` : '';
        body.append(element('p', {class: 'note'}, `${plural(failed, 'trial')} failed, ` +
            `${percent(failed / total)} of all${split}.${shown} Those that failed in ` +
            'the same way are grouped, newest first, with the last line of their output.'),
        ...kinds().map(group));
    }

    return {fill};
})();
