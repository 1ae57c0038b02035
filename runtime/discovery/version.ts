/** The document of `/version`: the API release that is followed, in the fields that clients read. */
import type { JsonObject } from '../contract/index.js';
import { apiRelease } from '../objects/release.js';

const [major = '', minor = ''] = apiRelease.split('.');

/** The document of `/version`. `productVersion` is Kindforge's own. */
export const versionDocument = (productVersion: string): JsonObject => ({
  major,
  minor,
  gitVersion: `v${apiRelease}.0+kindforge.${productVersion}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
});
