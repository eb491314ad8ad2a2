/* drawing.js - when the charts of a page are drawn: first, and again when something changes. */
wickReport.drawing = (() => {
    const {all, readTheme} = wickReport.chart;

    const drawAll = () => all.forEach((chart) => chart.draw());

    /*
     * Charts of few trials are drawn at once, those of many trials one after the other once the
     * page is shown. If there are hundreds of parameters, the last charts are drawn when they come
     * into view.
     */
    const many = wickReport.studies.reduce((sum, {trials}) => sum + trials.count, 0) > 20000;
    const atOnce = many ? 1 : 28, unseen = 28;

    function draw(chart) {
        if (!chart.frame)
            chart.draw();
        document.body.dataset.ready = all.filter((one) => one.frame).length;
    }

    function drawNext(k) {
        if (k >= Math.min(unseen, all.length))
            return;
        draw(all[k]);
        setTimeout(drawNext, 0, k + 1);
    }

    function drawFirst() {
        all.forEach((chart) => { chart.canvas.style.height = `${chart.parts.height()}px`; });
        all.slice(0, atOnce).forEach(draw);
        setTimeout(drawNext, 0, atOnce);
        const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
            if (entry.isIntersecting)
                draw(all.find((candidate) => candidate.canvas === entry.target));
        }));
        all.slice(unseen).forEach((chart) => observer.observe(chart.canvas));
    }

    function keepDrawn() {
        const fit = () => all.forEach((chart) => {
            if (chart.frame && chart.canvas.clientWidth !== chart.width)
                chart.draw();
        });
        window.addEventListener('resize', fit);
        /* Other resizes, as by a scroll bar; drawing at once could make the observer loop. */
        const observer = new ResizeObserver(() => requestAnimationFrame(fit));
        observer.observe(document.querySelector('main'));
        const repaint = () => {
            readTheme();
            drawAll();
        };
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
        /* Paper is white, so printing uses the light colours. */
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

    return {drawAll, drawFirst, keepDrawn};
})();
