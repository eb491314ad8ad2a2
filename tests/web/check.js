/*
 * check.js - what a person does with a report, done by a script. tests/cli/report.sh puts it at the
 * end of a page; its results are lines of TAP in a <pre> with the id "checks".
 */
(() => {
    const lines = [];
    const byId = (id) => document.getElementById(id);
    const ok = (holds, name) => {
        lines.push(`${holds ? 'ok' : 'not ok'} ${lines.length + 1} - ${name}`);
    };
    const chartOf = (id) => wickReport.chart.all.find((chart) => chart.canvas.id === id);
    const at = (canvas, x, y) => {
        const box = canvas.getBoundingClientRect();
        return {clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true};
    };
    const press = (root, text) => {
        const buttons = [...root.querySelectorAll('button')];
        buttons.find((button) => button.textContent.startsWith(text)).click();
    };

    function checkContent() {
        ok(document.querySelector('h1').textContent === 'made up </title><b>', 'the name is text');
        ok(document.querySelectorAll('b, img, main script').length === 0, 'no data became markup');
        ok(!document.body.dataset.broken, 'no data became a script');
        ok([...document.querySelectorAll('canvas')].every((c) => c.getAttribute('aria-label')),
            'every chart has a text');
        ok(document.querySelectorAll('section h2').length === 8, 'every section has a heading');
        ok(document.documentElement.scrollWidth <= window.innerWidth,
            'nothing is wider than the window');
        const best = byId('best-body').textContent;
        ok(best.includes('python3 train.py --data \'my data\''),
            'the command of the best trial is there');
    }

    function checkScores() {
        const canvas = byId('convergence-chart'), before = canvas.toDataURL();
        const other = byId('convergence-controls').querySelectorAll('[aria-pressed=false]');
        other[0].click();
        ok(canvas.toDataURL() !== before, 'convergence is drawn along time as well');
        const linear = canvas.toDataURL();
        press(byId('convergence-controls'), 'Log');
        ok(canvas.toDataURL() !== linear, 'and with a logarithmic score');
        const chart = wickReport.chart.all[4];
        const move = new PointerEvent('pointermove', at(chart.canvas, chart.xs[3], chart.ys[3]));
        chart.canvas.dispatchEvent(move);
        ok(!byId('tip').hidden && byId('tip').textContent.startsWith('Trial '),
            'a dot tells its trial');
        chart.canvas.dispatchEvent(
            new MouseEvent('click', at(chart.canvas, chart.xs[3], chart.ys[3])));
        ok(byId('trial').open && byId('trial').textContent.includes('learning_rate'),
            'a click on a dot opens the details of the trial');
        press(byId('trial'), 'Close');
        ok(!byId('trial').open, 'which can be closed');
    }

    function checkGantt() {
        const {canvas, frame} = chartOf('gantt-chart'), {view} = wickReport.workers;
        const whole = view.to;
        const middle = at(canvas, (frame.left + frame.right) / 2, frame.top + 5);
        const turn = {...middle, deltaY: -500};
        const wheel = () => canvas.dispatchEvent(new WheelEvent('wheel', turn));
        wheel();
        ok(view.from === 0 && view.to === whole, 'the wheel scrolls the page past the chart');
        canvas.focus();
        wheel();
        ok(view.from > 0 && view.to < whole, 'and zooms the chart once it has the focus');
        const from = view.from;
        canvas.dispatchEvent(new PointerEvent('pointerdown', {...middle, buttons: 1}));
        const left = {...middle, clientX: middle.clientX - 100, buttons: 1};
        window.dispatchEvent(new PointerEvent('pointermove', left));
        window.dispatchEvent(new PointerEvent('pointerup', left));
        ok(view.from > from, 'dragging moves it');
        canvas.dispatchEvent(new KeyboardEvent('keydown', {key: '0', bubbles: true}));
        ok(view.from === 0 && view.to === whole, 'the key 0 shows all again');
        const row = wickReport.workers.rows[0], bar = row[Math.floor(row.length / 2)];
        const chart = chartOf('gantt-chart');
        chart.draw();
        canvas.dispatchEvent(new PointerEvent('pointermove',
            at(canvas, chart.x((bar.from + bar.to) / 2), chart.y(0.5))));
        ok(byId('tip').textContent.includes('on worker 1'), 'a bar tells its trial');
    }

    function checkFailures() {
        const rows = byId('failures-body').querySelectorAll('tbody tr');
        ok(rows.length === Math.min(200, wickReport.data.failed), 'every failure has a row');
        const logs = [...document.querySelectorAll('#failures-body pre')].map((p) => p.textContent);
        ok(logs.some((text) => text.includes('<\/script><\u0073cript>')),
            'a log is shown as it is');
        ok(logs.some((text) => text.includes('epoch 3') && !text.includes('epoch 1')),
            'of a line that was overwritten the last state is shown');
        ok(!logs.some((text) => text.includes('\x1b')), 'terminal colours are left out');
    }

    function checkTable() {
        const cells = (n) => [...document.querySelectorAll(`#trials-body td:nth-child(${n})`)]
            .map((cell) => cell.textContent);
        const {trials, failed: failures} = wickReport.data;
        ok(cells(1).length === Math.min(50, trials.count), 'a page of the table is shown');
        press(byId('trials-body'), 'loss');
        ok(cells(1)[0] === String(wickReport.data.best[0].trial),
            'sorted by score the best is first');
        press(byId('trials-body'), 'loss');
        ok(Number(cells(3)[0]) >= Number(cells(3)[1]), 'again, and the worst is');
        press(byId('trials-controls'), 'Next');
        ok(byId('trials-range').textContent.startsWith('51 to 100'), 'there are further pages');
        const select = byId('trials-state');
        select.value = [...select.options].find((o) => o.textContent.startsWith('nan')).value;
        select.dispatchEvent(new Event('change'));
        ok(cells(2).length > 0 && cells(2).every((state) => state === 'nan'), 'filtered by state');
        ok(failures > 0 && cells(3).every((score) => score === '–'), 'failures have no score');
    }

    for (const check of [checkContent, checkScores, checkGantt, checkFailures, checkTable]) {
        try {
            check();
        } catch (error) {
            ok(false, `${check.name}: ${error.message}`);
        }
    }
    ok(!document.body.dataset.errors, 'no script failed');
    const pre = document.createElement('pre');
    pre.id = 'checks';
    pre.textContent = `\n${lines.join('\n')}\n`;
    document.body.append(pre);
})();
