/*
 * curves.js - the learning curves of a report, looked at by a script: see check.js.
 */
(() => {
    const lines = [];
    const byId = (id) => document.getElementById(id);
    const ok = (holds, name) => {
        lines.push(`${holds ? 'ok' : 'not ok'} ${lines.length + 1} - ${name}`);
    };
    const {curves, trials, counts, states, indexOf} = wickReport.data;
    const chart = wickReport.chart.all.find((one) => one.canvas.id === 'curves-chart');
    const at = (x, y) => {
        const box = chart.canvas.getBoundingClientRect();
        return {clientX: box.left + x, clientY: box.top + y, bubbles: true};
    };
    const stopped = counts[states.indexOf('stopped')];
    ok(byId('convergence').nextElementSibling.id === 'curves', 'the curves follow the convergence');
    ok(curves.length > 150 && curves.length <= 200, 'of many trials some are drawn');
    ok(curves.every(({steps, values}) => steps.length === values.length && steps[0] === 1),
        'each from its first step on');
    ok(curves.every(({trial, values}) => Math.abs(values.at(-1) /
        trials.score[indexOf(trial)] - 1) < 1e-4), 'to its score');
    ok(stopped > 100 && byId('curves-text').textContent.includes(`${stopped} trials were stopped`),
        'the text says how many were stopped');
    ok([...byId('numbers').querySelectorAll('dt')].some((dt) => dt.textContent === 'Stopped'),
        'so does the header');
    const before = chart.canvas.toDataURL();
    byId('curves-controls').querySelector('[aria-pressed=false]').click();
    ok(chart.canvas.toDataURL() !== before, 'steps can be linear');
    chart.canvas.dispatchEvent(new PointerEvent('pointermove', at(chart.xs[40], chart.ys[40])));
    ok(!byId('tip').hidden && /^Step \d+: .*\nTrial /.test(byId('tip').textContent),
        'a line tells its step and its trial');
    ok(!document.body.dataset.errors, 'no script failed');
    const pre = document.createElement('pre');
    pre.id = 'checks';
    pre.textContent = `\n${lines.join('\n')}\n`;
    document.body.append(pre);
})();
