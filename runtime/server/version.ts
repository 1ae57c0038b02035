/** What `/version` answers: the API release that is followed, in the fields that clients read. */
import type { JsonObject } from '../contract/index.js';

/** The release whose API is served. */
export const apiRelease = { major: '1', minor: '27' } as const;

/** The document of `/version`. `productVersion` is Kindforge's own. */
export const versionDocument = (productVersion: string): JsonObject => ({
  ...apiRelease,
  gitVersion: `v${apiRelease.major}.${apiRelease.minor}.0+kindforge.${productVersion}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
});
