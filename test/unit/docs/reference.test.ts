/** Reference pages have a row for everything in the code, and for nothing else. `UPDATE_GOLDEN=1` writes the rows. */
import { describe, it } from 'vitest';
import { serveFlagGroups } from '../../../bin/flags/serve/index.js';
import { metricGroups } from '../../../runtime/metrics/index.js';
import { flagTables } from '../../support/flag-documents.js';
import { admissionPluginTable } from '../../support/reference/admission-plugins.js';
import { settingTable } from '../../support/reference/configuration.js';
import { codeTables } from '../../support/reference/diagnostics.js';
import { errorTables } from '../../support/reference/errors.js';
import { featureGateTables } from '../../support/reference/feature-gates.js';
import { metricTables } from '../../support/reference/metrics.js';
import { expectPage, type Parts } from '../../support/reference/page.js';

const pages: Readonly<Record<string, () => Parts>> = {
  'admission-plugins.md': () => ({ plugins: admissionPluginTable() }),
  'configuration.md': () => ({ keys: settingTable() }),
  'diagnostics.md': () => ({ codes: codeTables() }),
  'errors.md': errorTables,
  'feature-gates.md': () => only('effective', featureGateTables()),
  'feature-gates-without-effect.md': () => only('idle', featureGateTables()),
  'flags.md': () => ({ flags: flagTables(cut(serveFlagGroups, 'Admission')[0]) }),
  'flags-operation.md': () => ({ flags: flagTables(cut(serveFlagGroups, 'Admission')[1]) }),
  'metrics.md': () => ({ metrics: metricTables(cut(metricGroups, 'Kinds')[0]) }),
  'metrics-storage.md': () => ({ metrics: metricTables(cut(metricGroups, 'Kinds')[1]) }),
};

const only = (part: string, parts: Parts): Parts => ({ [part]: parts[part] ?? '' });

/** Divides groups between two pages: the second one begins with a heading. */
function cut<T extends { readonly heading: string }>(
  groups: readonly T[],
  second: string,
): [readonly T[], readonly T[]] {
  const at = groups.findIndex(({ heading }) => heading === second);
  if (at < 0) throw new Error(`no group has the heading ${second}`);
  return [groups.slice(0, at), groups.slice(at)];
}

describe('reference pages', () => {
  it.each(Object.entries(pages))('equal the code: %s', (name, parts) => expectPage(name, parts()));
});
