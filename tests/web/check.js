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
        ok([...document.querySelectorAll('section h2')].map((h) => h.textContent).join() ===
            'Best trial,The ten best,Convergence,What matters,Parameters and score,Workers,' +
            'Failures,Study file,All trials', 'the sections stand in the order of their use');
        ok(document.documentElement.scrollWidth <= window.innerWidth,
            'nothing is wider than the window');
        const best = byId('best-body').textContent;
        ok(best.includes('python3 train.py --data \'my data\''),
            'the command of the best trial is there');
        ok(/accuracy\s*0\.\d+/.test(best), 'and what it gave beside the score');
        const score = document.querySelector('.score');
        ok(score.textContent.length <= 9 && score.title.startsWith(score.textContent.slice(0, 6)),
            'the best score is short, its exact value is a title');
        const heads = [...document.querySelectorAll('#top-body th')].map((th) => th.textContent);
        ok(heads.slice(0, 5).join() === ',Trial,loss,accuracy,learning_rate',
            'metrics follow the score in the ten best');
        ok(byId('live').hidden, 'a study that has ended is not said to run');
    }

    function checkScores() {
        const canvas = byId('convergence-chart'), before = canvas.toDataURL();
        const other = byId('convergence-controls').querySelectorAll('[aria-pressed=false]');
        other[0].click();
        ok(canvas.toDataURL() !== before, 'convergence is drawn along time as well');
        const {settings} = wickReport.scores;
        ok(settings.log, 'a few scores far out make the axis logarithmic');
        const log = canvas.toDataURL();
        press(byId('convergence-controls'), 'Linear');
        ok(canvas.toDataURL() !== log, 'which can be changed');
        const pressed = byId('parameters-controls').querySelector('[aria-pressed=true]');
        ok(pressed.textContent === 'Linear', 'for the parameters at the same time');
        const chart = wickReport.chart.all.find((one) =>
            one.canvas.closest('#parameters-body'));
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

    function checkRanges() {
        const {range, sorted} = wickReport.statistics;
        const {trials} = wickReport.data;
        const wild = trials.score.filter((score) => score > 1e4).length;
        for (const isLog of [false, true]) {
            const {best, worst, outside} = range(isLog);
            ok(best === sorted[0] && worst < 100 && outside === wild,
                `far scores are outside the ${isLog ? 'logarithmic' : 'linear'} axis, ` +
                'the best never');
        }
        const {note, above} = chartOf('convergence-chart').parts.y();
        ok(note === `▲ ${wild} above` && above > 0, 'the chart says how many there are');
        const texts = [...document.querySelectorAll('#parameters-body .effect')]
            .map((p) => p.textContent);
        ok(/^explains about [5-9]\d\u00a0% alone$/.test(texts[0]),
            'the learning rate explains most of the scores');
        ok(texts[6] === 'explains less than 1\u00a0% alone',
            'a parameter without an effect explains nothing');
        const {trend} = wickReport.statistics;
        const column = Float64Array.from(trials.score, (_, i) => i % 3);
        const groups = trend({values: ['a', 'b', 'c']}, column,
            [...trials.score.keys()].filter((i) => trials.score[i] < 100));
        ok(groups.length === 3 && groups.every((group, k) => group.place === k &&
            group.best <= group.median), 'each value of a choice has a best and a median');
        const legend = byId('parameters-controls').textContent;
        ok(legend.includes('median') && legend.includes('failed'), 'a legend names the marks');
    }

    function checkImportance() {
        const rows = [...document.querySelectorAll('#matters-bars tr')];
        ok(/^learning_rate[78]\d\u00a0%best near 0\.00\d+$/.test(rows[0].textContent),
            'the learning rate matters most, and it is said where it is best');
        const wide = rows.map((row) => row.querySelector('.share').offsetWidth);
        ok(wide[0] > 3 * wide[1] && wide[1] > wide[4], 'bars are as long as the shares');
        const chart = wickReport.chart.all.find((one) => one.canvas.closest('#matters-curves'));
        const middle = at(chart.canvas, (chart.frame.left + chart.frame.right) / 2, 90);
        chart.canvas.dispatchEvent(new PointerEvent('pointermove', middle));
        ok(/^learning_rate = 0\.00\d+\nloss 0\.\d+ ± \S+ on average$/.test(
            byId('tip').textContent), 'a curve tells the mean at a value');
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
        const groups = [...byId('failures-body').querySelectorAll('details > summary')]
            .filter((summary) => summary.textContent.includes(' × '));
        ok(groups.length === 5, 'failures of the same kind stand together');
        ok(groups.some((summary) => /^\d+ × exit code 1RuntimeError: CUDA/.test(
            summary.textContent)), 'with their number, reason and last line');
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
        const box = byId('trials-body');
        box.scrollTo(200, 200);
        const corner = box.querySelector('th').getBoundingClientRect();
        const frame = box.getBoundingClientRect();
        ok(Math.abs(corner.left - frame.left) < 3 && Math.abs(corner.top - frame.top) < 3,
            'its heading and first column stay in sight');
        const text = byId('trials-text');
        const find = (words) => {
            text.value = words;
            text.dispatchEvent(new Event('input'));
            wickReport.table.arrange();
        };
        find('ADAM 64');
        const found = [...document.querySelectorAll('#trials-body tbody tr')].map((row) =>
            [...row.cells].slice(4, 11).map((cell) => cell.textContent));
        ok(found.length > 0 && found.every((values) => values.includes('adam') &&
            values.some((text) => text.startsWith('64'))), 'filtered by values');
        find('');
        press(byId('trials-controls'), 'Next');
        ok(byId('trials-range').textContent.startsWith('51 to 100'), 'there are further pages');
        const select = byId('trials-state');
        select.value = [...select.options].find((o) => o.textContent.startsWith('nan')).value;
        select.dispatchEvent(new Event('change'));
        ok(cells(2).length > 0 && cells(2).every((state) => state === 'nan'), 'filtered by state');
        ok(failures > 0 && cells(3).every((score) => score === '–'), 'failures have no score');
    }

    for (const check of [checkContent, checkScores, checkRanges, checkImportance, checkGantt, checkFailures,
        checkTable]) {
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
