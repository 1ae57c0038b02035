/**
 * The pictures of docs/console.md and of the README. `UPDATE_PICTURES=1` takes them again. Otherwise the test only
 * takes the texts of pages, and checks the files.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamicApi, dynamicClient } from '../../../client/index.js';
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.js';
import { root } from '../../../test/support/shared.js';
import { goTo, isReady, type OpenConsole, openConsole } from './support/open-console.js';

const folder = join(root, 'docs/pictures');
const isTaken = process.env.UPDATE_PICTURES === '1';

const text = (...lines: readonly string[]): string => lines.join('\n');
const widgets = text(
  'apiVersion: apiextensions.k8s.io/v1',
  'kind: CustomResourceDefinition',
  'metadata: { name: widgets.shop.example.com }',
  'spec:',
  '  group: shop.example.com',
  '  scope: Namespaced',
  '  names: { plural: widgets, kind: Widget, shortNames: [wd] }',
  '  versions:',
  '    - name: v1',
  '      served: true',
  '      storage: true',
  '      subresources: { status: {}, scale: { specReplicasPath: .spec.count, statusReplicasPath: .status.count } }',
  '      additionalPrinterColumns:',
  '        - { name: Size, type: string, jsonPath: .spec.size }',
  '        - { name: Count, type: integer, jsonPath: .spec.count }',
  '        - { name: Phase, type: string, jsonPath: .status.phase }',
  '        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }',
  '      schema:',
  '        openAPIV3Schema:',
  '          type: object',
  '          properties:',
  '            spec:',
  '              type: object',
  '              required: [size]',
  '              properties:',
  '                size: { type: string, enum: [small, medium, large], description: How large it is. }',
  '                count: { type: integer, minimum: 0, default: 1, description: How many there are. }',
  '                colour: { type: string, description: The colour of its paint. }',
  '            status:',
  '              type: object',
  '              properties: { phase: { type: string }, count: { type: integer } }',
);

/** Each picture: its file, the address of its page, and a text that the complete page shows. */
const pictures = [
  { file: 'console-list', address: 'kinds/shop.example.com/v1/widgets', shows: 'door-12' },
  { file: 'console-object', address: 'kinds/shop.example.com/v1/widgets/default/door-1', shows: 'Timeline' },
  {
    file: 'console-edit',
    address: 'kinds/shop.example.com/v1/widgets/default/door-1?tab=edit',
    shows: 'How large it is.',
  },
  { file: 'console-fields', address: 'kinds/shop.example.com/v1/widgets/default/door-1?tab=fields', shows: 'painter' },
  {
    file: 'console-definition',
    address: 'definitions/shop.example.com/widgets?field=spec.size',
    shows: 'How large it is.',
  },
  { file: 'console-home', address: '', shows: 'Health' },
] as const;

describe.skipIf(!isReady)('the pictures of the console', () => {
  let server: ServerProcess;
  let consoles: OpenConsole;
  let client: DynamicApi;

  beforeAll(async () => {
    server = await startServerProcess('--naming', 'kubernetes', '--storage', 'memory');
    client = dynamicClient({ baseUrl: server.url });
    const door = (index: number): object => ({
      apiVersion: 'shop.example.com/v1',
      kind: 'Widget',
      metadata: { name: `door-${index}`, namespace: 'default', labels: { room: ['hall', 'attic'][index % 2] } },
      spec: { size: ['small', 'medium', 'large'][index % 3], count: index % 5 },
    });
    const doors = Array.from({ length: 40 }, (_, index) => door(index));
    await client.applyAll(widgets, { fieldManager: 'setup' });
    await client.applyAll(doors, { fieldManager: 'shop', definitionTimeoutMs: 10_000 });
    const resource = (await client.resource('widgets')).in('default');
    for (const index of doors.keys()) {
      const phase = ['Ready', 'Ready', 'Pending', 'Ready', 'Failed'][index % 5];
      await resource.subresource('status').patch(`door-${index}`, { status: { phase } });
    }
    const painted = { ...door(1), spec: { colour: 'red' } };
    await client.applyAll([painted], { fieldManager: 'painter' });
    consoles = await openConsole(server.url);
  });
  afterAll(async () => {
    await consoles?.close();
    await server?.kill();
  });

  it('show the present pages', async () => {
    const page = await consoles.open('access');
    mkdirSync(folder, { recursive: true });
    for (const { file, address, shows } of pictures) {
      await goTo(page, address);
      await page.getByText(shows, { exact: false }).first().waitFor();
      if (isTaken) {
        // Charts need a few readings of the metrics, and the marks of changed rows must end.
        await page.waitForTimeout(address === '' ? 15_000 : 1_500);
        const cdp = await page.context().newCDPSession(page);
        const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
        writeFileSync(join(folder, `${file}.webp`), Buffer.from(data, 'base64'));
      }
    }
    expect(consoles.errors).toEqual([]);
  });

  it('are WebP files of at most 100 kB, and pages show each of them', () => {
    const pages = ['README.md', 'docs/console.md'].map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
    const files = readdirSync(folder).filter((name) => name.startsWith('console-'));
    expect(files.sort()).toEqual(pictures.map(({ file }) => `${file}.webp`).sort());
    for (const name of files) {
      expect(statSync(join(folder, name)).size, name).toBeLessThanOrEqual(100_000);
      expect(readFileSync(join(folder, name)).subarray(8, 12).toString(), name).toBe('WEBP');
      expect(pages, name).toContain(`pictures/${name}`);
    }
  });
});
