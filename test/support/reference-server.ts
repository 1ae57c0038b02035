/** Starts a server the way the recordings were made: kubernetes names, memory store, tokens, alpha gates on. */
import { loadModules } from '../../bin/serve/load-modules.js';
import { type Running, startServer } from '../../bin/serve/run-serve.js';
import { readSettings } from '../../bin/serve/settings.js';
import { hasShared, shared } from './shared.js';

/** Flags of the reference server; each can be replaced. */
export interface ReferenceFlags {
  readonly naming?: string;
  readonly storage?: string;
  readonly schemas?: string;
}

/** Gates that were on when the recordings were made. */
const gates =
  'DynamicResourceAllocation=true,ValidatingAdmissionPolicy=true,WatchList=true,SELinuxMountReadWriteOncePod=true';

/** A server on a free loopback port. */
export async function startReference(flags: ReferenceFlags = {}): Promise<Running> {
  const settings = readSettings({
    host: '127.0.0.1',
    httpPort: '0',
    storage: flags.storage ?? 'memory',
    naming: flags.naming ?? 'kubernetes',
    featureGates: gates,
    ...(hasShared ? { tokenAuthFile: shared('conformance', 'tokens.csv') } : {}),
    ...(flags.schemas === undefined ? {} : { schemas: flags.schemas }),
  });
  if (!settings.ok) throw new Error(settings.failure.message);
  const modules = await loadModules(settings.value.schemas);
  if (!modules.ok) throw new Error(modules.failure.message);
  return startServer(settings.value, modules.value);
}
