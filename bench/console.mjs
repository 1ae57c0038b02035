/** The console in Chromium: the time until a list appears, the time of answers, and memory under changes. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromiumProgram, pause, root, startServer, stop } from './processes.mjs';
import { ask, configMaps, create, inParallel } from './requests.mjs';

export const browserConsole = {
  name: 'console',
  about:
    'the console in Chromium with a list of many objects: first paint, filter, sort, scroll, and memory under changes',
  needs: ['build', 'Chromium'],
  options: { objects: 10_000, minutes: 1, perSecond: 50 },
  rounds: 1,
  columns: () => [{ name: 'console', open: openPage }],
};

async function openPage({ command, options: { objects, minutes, perSecond } }) {
  const { chromium } = createRequire(join(root, 'packages/interop/package.json'))('playwright-core');
  const server = await startServer(command, 'memory', ['--allow-everyone', '--naming', 'kubernetes']);
  const nameOf = (i) => `object-${String(i).padStart(6, '0')}`;
  await inParallel(objects, 48, (i) =>
    create(server.url + configMaps, {
      metadata: { name: nameOf(i), labels: { app: `app-${i % 20}`, turn: '0' } },
      data: { payload: 'x'.repeat(200) },
    }),
  );
  const browser = await chromium.launch({ executablePath: chromiumProgram, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(keepTasks);
  const devtools = await page.context().newCDPSession(page);
  const takeTasks = () => page.evaluate(() => globalThis.takeTasks());
  const first = async () => {
    await page.goto(`${server.url}/console/kinds/core/v1/configmaps`);
    const paint = await (await page.waitForFunction(() => globalThis.firstPaint)).jsonValue();
    await takeTasks();
    const began = performance.now();
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await page.getByText(nameOf(0), { exact: true }).waitFor();
    const rows = performance.now() - began;
    await page.locator('.count', { hasText: /^[\d,]+$/ }).waitFor({ timeout: 60_000 });
    const all = performance.now() - began;
    return { 'first paint, ms': paint, 'first rows, ms': rows, 'all rows, ms': all, ...(await takeTasks()) };
  };
  /** Measures the time from the event until the browser paints the answer, and the work in the seconds after it. */
  const answerTo = async (act) => {
    await takeTasks();
    await act();
    await page.waitForTimeout(2_000);
    return takeTasks();
  };
  const filter = () =>
    answerTo(async () => {
      const input = page.getByLabel('Filter by text');
      for (const key of '00099') await input.press(key);
      await page.waitForTimeout(1_000);
      await input.fill('');
    });
  const sort = () => answerTo(() => page.getByRole('columnheader').getByRole('button', { name: 'Age' }).click());
  const scroll = () =>
    answerTo(async () => {
      await page.mouse.move(700, 600);
      for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 2_000);
    });
  const memory = async () => {
    // A second collection takes objects that finalizers of the first have released.
    for (let turn = 0; turn < 2; turn++) await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
    return { heap: usedSize / 2 ** 20, nodes, listeners: jsEventListeners };
  };
  /**
   * Changes objects: of ten changes, one creates an object, one deletes the object of the turn before, and eight patch.
   * They patch the same thousand objects again and again, because the first change of a row needs memory, and this must
   * not count as growth.
   */
  const changeOne = (i) => {
    const collection = `${server.url}${configMaps}`;
    const added = (turn) => `object-${String(turn % 1000).padStart(3, '0')}-added-${turn}`;
    if (i % 10 === 8) return create(collection, { metadata: { name: added(i) }, data: { payload: 'x'.repeat(200) } });
    if (i % 10 === 9 && i > 10) return ask(`${collection}/${added(i - 11)}`, { method: 'DELETE' });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const object = { metadata: { labels: { turn: String(i) } }, data: { turn: String(i) } };
    return ask(`${collection}/${nameOf((i * 7) % Math.min(objects, 1_000))}`, { method: 'PATCH', object, headers });
  };
  const change = async () => {
    const [total, perReading] = [Math.round(minutes * 60 * perSecond), Math.ceil((minutes * 60 * perSecond) / 12)];
    const readings = [{ minute: 0, ...(await memory()) }];
    const tasks = [];
    const began = performance.now();
    // Long tasks during a reading come from its forced collections.
    await takeTasks();
    for (let i = 0; i < total; i++) {
      const early = i * (1_000 / perSecond) - (performance.now() - began);
      if (early > 0) await pause(early / 1_000);
      await changeOne(i);
      if ((i + 1) % perReading !== 0) continue;
      tasks.push(await takeTasks());
      const reading = { minute: (performance.now() - began) / 60_000, ...(await memory()) };
      readings.push(reading);
      const { minute, heap, nodes, listeners } = reading;
      console.error(`after ${minute.toFixed(1)} min: ${heap.toFixed(2)} MiB, ${nodes} nodes, ${listeners} listeners`);
      await takeTasks();
    }
    const seconds = (performance.now() - began) / 1_000;
    const last = readings.at(-1);
    const greatest = (figure) => Math.max(...tasks.map((one) => one[figure]));
    return {
      'changes per second': total / seconds,
      'longest task, ms': greatest('longest task, ms'),
      'slowest answer, ms': greatest('slowest answer, ms'),
      'heap before, MiB': readings[0].heap,
      'heap after, MiB': last.heap,
      // The first third fills caches of the engine.
      'growth of the heap, KiB a minute': slope(readings.slice(4)) * 1024,
      'nodes before': readings[0].nodes,
      'nodes after': last.nodes,
      'listeners before': readings[0].listeners,
      'listeners after': last.listeners,
    };
  };
  const close = async () => {
    await browser.close();
    await stop(server);
  };
  return { rows: { open: first, 'filter by 5 keys': filter, sort, scroll, changes: change }, close };
}

/** Returns the growth of the heap by least squares, in MiB a minute. */
function slope(readings) {
  const meanOf = (pick) => readings.reduce((sum, one) => sum + pick(one), 0) / readings.length;
  const [minute, heap] = [meanOf((one) => one.minute), meanOf((one) => one.heap)];
  const spread = meanOf((one) => (one.minute - minute) ** 2);
  return meanOf((one) => (one.minute - minute) * (one.heap - heap)) / spread;
}

/**
 * Runs in the page, before its scripts. Records the first paint, the longest tasks, and the longest answer to an event.
 */
function keepTasks() {
  let [longest, sum, answer] = [0, 0, 0];
  const observe = (type, use, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true, ...more });
  observe('paint', ({ startTime }) => {
    globalThis.firstPaint = startTime;
  });
  observe('longtask', ({ duration }) => {
    longest = Math.max(longest, duration);
    sum += duration;
  });
  observe('event', ({ duration }) => (answer = Math.max(answer, duration)), { durationThreshold: 16 });
  globalThis.takeTasks = () => {
    const figures = { 'longest task, ms': longest, 'long tasks in all, ms': sum, 'slowest answer, ms': answer };
    [longest, sum, answer] = [0, 0, 0];
    return figures;
  };
}
