/** Gets a document over HTTPS from a provider of identities. */
import type { RequestOptions } from 'node:https';

/** Gets the text at an HTTPS address; rejects where there is none. `authorization` is the value of the header. */
export type GetText = (url: string, authorization?: string) => Promise<string>;

const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/** `ca` has the authorities that are trusted at the time, in PEM; those of Node where absent. Redirects are not followed. */
export const httpsGetter =
  (ca: (() => string) | undefined): GetText =>
  async (url, authorization) => {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new Error(`${url} is no HTTPS URL`);
    // Loaded with the first token of a provider.
    const { get } = await import('node:https');
    const options: RequestOptions = {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: '*/*', ...(authorization === undefined ? {} : { authorization }) },
      ...(ca === undefined ? {} : { ca: ca() }),
    };
    return new Promise((resolve, reject) => {
      const call = get(url, options, (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > maxBytes) call.destroy(new Error(`${url}: the answer is too large`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
          else reject(new Error(`${url} answers with ${response.statusCode}`));
        });
      });
      call.on('error', reject);
    });
  };
