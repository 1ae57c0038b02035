import { startPostgres } from './postgres.js';
import { postgresDriver } from '../../runtime/storage/postgres/index.js';
const s = await startPostgres({ settings: { fsync: process.env.FSYNC ?? 'on' } });
const d = postgresDriver({ url: s.url });
const body = 'x'.repeat(Number(process.env.SIZE ?? 2000));
const enc = (n: string) => ({ text: `{"metadata":{"name":"${n}","resourceVersion":""},"n":"${body}"}`, revisionAt: 1, attributes: { labels: {}, fields: {} } });
await d.open({ readOnly: false, replacing: false, windowMs: 300000 });
let seen = 0;
const u = d.follow(0, { begun() {}, group(g) { seen += g.changes.length; }, reached() {}, broken(e) { console.log(e); } });
await new Promise((r) => setTimeout(r, 1500));
let n = 0;
for (const size of [1, 32, 100]) {
  for (let round = 0; round < 2; round++) {
  const until = performance.now() + 3000; let count = 0, groups = 0; const cpu = process.cpuUsage(); const t0 = performance.now();
  while (performance.now() < until) {
    await d.commit(Array.from({ length: size }, () => ({ key: `/pods/ns/p${n++}`, expected: 0, next: enc('a'), writes: true })), { withinMs: 5000 });
    count += size; groups++;
  }
  const s1 = (performance.now() - t0) / 1000; const c = process.cpuUsage(cpu);
  console.log(`create groups of ${size}: ${(count / s1).toFixed(0)}/s, ${(1000 * s1 / groups).toFixed(2)} ms/group, node cpu ${(c.user + c.system) / count | 0} us/change, seen ${seen}/${n}`);
  }
}
const rev = new Map<number, number>();
await d.load(undefined, (p) => { for (const r of p.records) rev.set(Number(r.key.slice(10)), r.revision); });
for (const size of [1, 32]) {
  const until = performance.now() + 3000; let count = 0, groups = 0; const t0 = performance.now(); let i = 0;
  while (performance.now() < until) {
    const ids = Array.from({ length: size }, () => i++ % n);
    const c = await d.commit(ids.map((id) => ({ key: `/pods/ns/p${id}`, expected: rev.get(id) ?? 0, next: enc('b'), writes: true })), { withinMs: 5000 });
    if (c.outcome !== 'decided') throw new Error(c.outcome);
    c.verdicts.forEach((v, j) => { if (v.made) rev.set(ids[j]!, v.revision); else throw new Error('lost'); });
    count += size; groups++;
  }
  const s1 = (performance.now() - t0) / 1000;
  console.log(`update groups of ${size}: ${(count / s1).toFixed(0)}/s, ${(1000 * s1 / groups).toFixed(2)} ms/group`);
}
const t = performance.now(); for (let i = 0; i < 1000; i++) await d.look(); console.log('look ms', (performance.now() - t) / 1000);
console.log(await s.sql(`select relname, pg_size_pretty(pg_total_relation_size(oid)) from pg_class where relnamespace='kindforge'::regnamespace and relkind='r'; select n_tup_upd, n_tup_hot_upd, relname from pg_stat_user_tables`));
u(); await d.close(); await s.dispose();
