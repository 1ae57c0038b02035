import { startPostgres } from './postgres.js';
import { postgresDriver } from '../../runtime/storage/postgres/index.js';
const s = await startPostgres({ settings: { max_wal_size: '4GB' } });
const d = postgresDriver({ url: s.url });
const N = Number(process.env.N ?? 1e6);
const body = 'x'.repeat(420);
const enc = (n: string) => ({ text: `{"metadata":{"name":"${n}","namespace":"ns","resourceVersion":""},"n":"${body}"}`, revisionAt: 1, attributes: { labels: {}, fields: {} } });
await d.open({ readOnly: false, replacing: false, windowMs: 300000 });
async function* objs() { for (let i = 0; i < N; i++) yield { key: `/pods/ns/p${String(i).padStart(8, '0')}`, object: enc(`p${i}`) }; }
console.time('replace'); await d.replace(objs(), 0); console.timeEnd('replace');
await d.open({ readOnly: false, replacing: false, windowMs: 300000 });
for (let i = 0; i < 3; i++) { let n = 0, pages = 0; const c = process.cpuUsage(); console.time('load'); await d.load(i === 2 ? N + 1 : undefined, async (p) => { n += p.records.length; pages++; await new Promise((r) => setImmediate(r)); if (pages < 3) console.log(p.remaining); }); console.timeEnd('load'); const u = process.cpuUsage(c); console.log(n, pages, (u.user + u.system) / 1e6, process.memoryUsage().rss / 1e6); }
console.log(await s.sql(`select relname, pg_size_pretty(pg_total_relation_size(oid)), pg_size_pretty(pg_relation_size(oid)) from pg_class where relnamespace='kindforge'::regnamespace`));
await d.close(); await s.dispose();
