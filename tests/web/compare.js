/*
 * compare.js - a page about several studies, looked at by a script: see check.js. The studies are
 * those of tests/cli/report.sh: grid, batch and async, "made up" of another score, one of the same
 * without a trial, and live, which runs.
 */
(() => {
    const lines = [];
    const byId = (id) => document.getElementById(id);
    const ok = (holds, name) => {
        lines.push(`${holds ? 'ok' : 'not ok'} ${lines.length + 1} - ${name}`);
    };
    const press = (root, text) => {
        const buttons = [...byId(root).querySelectorAll('button')];
        buttons.find((button) => button.textContent === text).click();
    };
    const {studies} = wickReport, {all} = wickReport.chart;
    const gantts = [...document.querySelectorAll('canvas.gantt')];
    const chartOf = (canvas) => all.find((chart) => chart.canvas === canvas);
    const images = () => gantts.map((canvas) => canvas.toDataURL()).join();
    const cells = (title) => [...document.querySelectorAll('.facing tr')]
        .find((row) => row.cells[0].textContent === title);
    const texts = (title) => [...cells(title).cells].slice(1).map((cell) => cell.textContent);

    function checkGantts() {
        ok(gantts.length === 6, 'each study has a Gantt chart');
        const boxes = gantts.slice(0, 3).map((canvas) => canvas.getBoundingClientRect());
        const isWide = innerWidth > 1000;
        ok(isWide === (boxes[0].top === boxes[1].top && boxes[1].top === boxes[2].top),
            'they stand side by side where there is room');
        const scales = gantts.map((canvas) => chartOf(canvas).x);
        const seconds = scales.map((x) => x.invert(500) - x.invert(400));
        ok(isWide ? true : seconds.every((s) => Math.abs(s / seconds[0] - 1) < 0.3),
            'on the same time scale');
        const before = images();
        press('gantt-controls', 'State');
        const byState = images();
        ok(before !== byState, 'bars are coloured by score or by state');
        press('gantt-controls', 'Own');
        ok(images() !== byState, 'each may have a time scale of its own');
        press('gantt-controls', 'Same');
        press('gantt-controls', 'Stacked');
        const [first, second] = gantts.map((canvas) => canvas.getBoundingClientRect());
        ok(second.top > first.bottom && first.width > 0.8 * byId('gantt-body').clientWidth,
            'or stand one above the other');
        press('gantt-controls', 'Side by side');
    }

    function checkTips() {
        const chart = chartOf(gantts[1]), {trials} = studies[1];
        const box = chart.canvas.getBoundingClientRect();
        chart.canvas.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,
            clientX: box.left + chart.x(trials.started[0] + trials.duration[0] / 2),
            clientY: box.top + chart.y(trials.worker[0] - 0.5)}));
        ok(byId('tip').textContent.startsWith('batch\nTrial 1: done'),
            'a bar tells its study and its trial');
    }

    function checkConvergence() {
        const paths = [...document.querySelectorAll('canvas.path:not([hidden])')];
        ok(paths.length === 2, 'studies of one score share a plot, others have their own');
        const [plot] = paths.map(chartOf);
        ok(new Set(plot.marks.map(({s}) => s)).size === 3, 'with a line for each study');
        ok(plot.canvas.parentNode.querySelector('.legend').textContent === 'gridbatchasynclive',
            'and a legend');
        ok(plot.marks.every(({s, i}, k) => k === 0 || plot.marks[k - 1].s !== s ||
            studies[s].trials.score[i] < studies[s].trials.score[plot.marks[k - 1].i]),
        'a line only gets better');
        const before = plot.canvas.toDataURL();
        press('convergence-controls', 'Trials');
        ok(plot.canvas.toDataURL() !== before, 'along time or trials');
        ok(/^The best score is \S+, from \w+.* All studies reached \S+: grid after .*, batch after /.test(
            plot.canvas.getAttribute('aria-label')), 'a text says who was best and how fast');
    }

    function checkTable() {
        ok(texts('Trials').join() === '24 of 24,24 of 24,24 of 24,300 of 300,0 of 100,1 of 1',
            'the table has the trials');
        ok(texts('Algorithm')[1] === 'forest, rounds of 4, seed 1', 'the algorithms');
        ok(texts('Best score').slice(0, 4).every((text) => Number(text) > 0) &&
            texts('Best score')[4] === '–', 'the best scores');
        const marked = [...document.querySelectorAll('.facing strong')];
        ok(marked.length === 1 && Number(marked[0].textContent) ===
            Math.min(...texts('Best score').slice(0, 3).map(Number)), 'the best of them marked');
        ok(texts('seconds').slice(0, 3).every((text) => Number(text) > 0) &&
            texts('seconds')[3] === '–' && texts('learning_rate')[0] === '–' &&
            Number(texts('learning_rate')[3]) > 0, 'parameters of all spaces');
        ok(texts('Busy').every((text) => text.endsWith('%')), 'and how busy workers were');
        const [grid, batch, async] = texts('Busy').map((text) => parseFloat(text));
        ok(batch < grid && batch < async, 'who waits is less busy');
    }

    function checkPage() {
        ok(document.documentElement.scrollWidth <= innerWidth, 'nothing is wider than the window');
        ok(document.querySelectorAll('main b, img, main script').length === 0,
            'no data became markup');
        ok(!byId('live').hidden && byId('live').textContent.startsWith('live continued'),
            'it says which study goes on');
        ok([...document.querySelectorAll('canvas:not([hidden])')].every((canvas) =>
            canvas.getAttribute('aria-label')), 'every chart has a text');
        ok(!document.body.dataset.errors, 'no script failed');
    }

    for (const check of [checkGantts, checkTips, checkConvergence, checkTable, checkPage]) {
        try {
            check();
        } catch (error) {
            ok(false, `${check.name}: ${error.message}`);
        }
    }
    const pre = document.createElement('pre');
    pre.id = 'checks';
    pre.textContent = `\n${lines.join('\n')}\n`;
    document.body.append(pre);
})();
