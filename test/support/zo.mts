import { startPostgres } from './postgres.js';
import { openPostgresStore } from '../../runtime/storage/postgres/index.js';
const s = await startPostgres();
const seen: string[] = [];
for (let i = 0; i < 4; i++) for (let j = 0; j < 2; j++) {
  const t = performance.now(); seen.length = 0;
  const store = await openPostgresStore({ url: s.url, schema: `s${i}`, readAttributes: () => ({ labels: {}, fields: {} }), observer: { asked(op: string, _t: string, sec: number) { seen.push(`${op} ${(sec * 1000).toFixed(1)}@${(performance.now() - t).toFixed(0)}`); } } as any });
  const t2 = performance.now(); await store.close();
  console.log(`open ${(t2 - t).toFixed(0)} close ${(performance.now() - t2).toFixed(0)}`, seen.join(', '));
}
await s.dispose();
