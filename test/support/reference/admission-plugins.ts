/** The table of docs/admission-plugins.md. */
import { type AdmissionParts, type AdmissionRow, admissionTable } from '../../../plugins/index.js';
import type { PluginConfiguration } from '../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { forKubernetes } from '../../../server/parts/placed-document.js';
import { codes, table } from './page.js';

const nothing = (): never => {
  throw new Error('no plugin runs here');
};

/** Every part of a server that a plugin may need, so that the table has each plugin. */
const parts: AdmissionParts = {
  rules: { rulesOf: nothing, rulesToCome: nothing },
  webhooks: { open: nothing, connect: nothing, checkCredentials: nothing, checkConnection: nothing },
};

export const admissionPluginTable = (): string =>
  table(
    ['plugin', 'what it does', 'phase', 'by default', 'stability', 'needs', 'configuration'],
    admissionTable.map((row) => [
      codes([row.name]),
      row.about,
      row.phase,
      row.byDefault,
      row.stability,
      row.needs ?? '',
      configurationOf(row),
    ]),
  );

function configurationOf({ name, define }: AdmissionRow): string {
  const plugin = define(kubernetesNaming, parts);
  if (!plugin) throw new Error(`${name} needs another part of the server`);
  return plugin.configuration ? formatOf(plugin.configuration) : '';
}

const formatOf = ({ apiVersions, kind }: PluginConfiguration): string =>
  kind === undefined ? 'without a kind' : `\`${kind}\` of ${codes(apiVersions.map(forKubernetes))}`;
