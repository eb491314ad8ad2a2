/* parts.js - small parts that several sections use, and the window of one trial. */
wickReport.parts = (() => {
    const {study, trials, failures, exact, lookOf, number, seconds, stateName, valuesOf, metricsOf,
        scoreOf, isValid, brokenText, indexOf, element, byId} = wickReport.data;

    function stateLabel(code) {
        const colour = `background: var(--${lookOf[code]})`;
        return element('span', {class: 'state-name'},
            element('span', {class: 'dot', style: colour}), stateName(code));
    }

    /* Buttons, one of which is pressed; show(value) presses another one. */
    function segments(label, choices, choose) {
        const buttons = choices.map(([name, value, disabled]) => element('button', {class: 'push',
            type: 'button', disabled, onclick: () => choose(value)}, name));
        const node = element('span', {class: 'group', role: 'group', 'aria-label': label},
            element('span', {}, label), element('span', {class: 'segments'}, ...buttons));
        const show = (value) => buttons.forEach((button, k) =>
            button.setAttribute('aria-pressed', String(choices[k][1] === value)));
        return {node, show};
    }

    function copyButton(pre) {
        const button = element('button', {class: 'push', type: 'button'}, 'Copy');
        button.addEventListener('click', async () => {
            getSelection().selectAllChildren(pre);
            try {
                await navigator.clipboard.writeText(pre.textContent);
                button.textContent = 'Copied';
            } catch {
                /* Some browsers deny a page from a file the clipboard: the text is selected. */
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

    /* Rows of a name, a text and, if it is longer, the exact text. */
    function valueTable(rows) {
        return element('table', {class: 'pairs'}, element('tbody', {},
            ...rows.map(([name, text, whole]) => element('tr', {},
                element('th', {scope: 'row'}, name),
                element('td', {class: 'mono', title: whole !== text && whole}, text)))));
    }

    function trialLink(id) {
        const i = indexOf(id);
        if (i < 0)
            return String(id);
        return element('button', {class: 'link', type: 'button',
            'aria-label': `Details of trial ${id}`, onclick: () => showTrial(i)}, String(id));
    }

    /* Terminal colours, and progress bars that overwrite themselves, are noise on a page. */
    function logText(failure) {
        return failure.log.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r+\n/g, '\n')
            .replace(/[^\n]*\r(?=[^\n])/g, '');
    }

    function logBlock(failure) {
        const note = failure.cut ? '(earlier lines are left out)\n' : '';
        return element('pre', {class: 'fold', tabindex: 0}, note + logText(failure));
    }

    /* Shows everything that the page knows about one trial. */
    function showTrial(i) {
        const dialog = byId('trial');
        const id = trials.id[i];
        const failure = failures.find((item) => item.trial === id);
        const facts = [['score', ...scoreOf(i)], ...metricsOf(i),
            ['state', stateName(trials.state[i])], ['duration', seconds(trials.duration[i])],
            ['started after', seconds(trials.started[i])],
            ['worker', number(trials.worker[i])], ['tries', number(trials.tries[i])]];
        if (failure)
            facts.push(['reason', failure.reason]);
        if (!isValid(i))
            facts.push(['breaks', brokenText(i)]);
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

    return {stateLabel, segments, commandBlock, valueTable, trialLink, logText, logBlock,
        showTrial};
})();
