/**
 * Copies field numbers of the reference, when its kinds are added: `tsx generator/commands/import-protobuf.ts SCHEMAS
 * MESSAGES.json`.
 */
import { readFileSync } from 'node:fs';
import { loadDefinitions } from '../check/load-definitions.js';
import { importReference } from '../lock/import-reference.js';
import { readLockFile, writeLockFile } from '../lock/lock-store.js';
import { planModel } from '../lock/plan-model.js';

const [schemas, messages] = process.argv.slice(2);
if (schemas === undefined || messages === undefined) {
  process.stderr.write('usage: import-protobuf SCHEMAS MESSAGES.json\n');
  process.exitCode = 2;
} else {
  const versions = planModel(loadDefinitions(schemas).model);
  const lock = importReference(readLockFile(schemas).lock, versions, JSON.parse(readFileSync(messages, 'utf8')));
  writeLockFile(schemas, lock);
}
