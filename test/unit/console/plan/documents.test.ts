/** Texts with many documents: the line of each, and the mistakes in unreadable ones. */
import { describe, expect, it } from 'vitest';
import { DocumentsError, lineOfField, readDocuments } from '../../../../packages/console/src/plan/documents.js';

const map = (name: string, data = 'a: b'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${JSON.stringify(name)} }\ndata: { ${data} }\n`;

const problems = async (text: string): Promise<unknown> => {
  try {
    return await readDocuments(text);
  } catch (error) {
    return error instanceof DocumentsError ? error.problems.map(({ line, message }) => `${line}: ${message}`) : error;
  }
};

describe('a text', () => {
  it('has documents between its markers, each with its line', async () => {
    const text = `# first\n${map('a')}---\n# nothing\n--- # b\n${map('b')}...\n%YAML 1.2\n---\n${map('c')}--- ${'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"}}'}\n`;
    const all = await readDocuments(text);
    expect(all.map(({ object, line }) => [object.metadata.name, line])).toEqual([
      ['a', 1],
      ['b', 8],
      ['c', 15],
      ['d', 20],
    ]);
    expect(await readDocuments('')).toEqual([]);
    expect(
      await readDocuments('\uFEFF---\r\napiVersion: v1\r\nkind: A\r\nmetadata: { name: a }\r\n---\r\n'),
    ).toHaveLength(1);
  });

  it("is split only at YAML's markers: not at an indented one, nor at a longer word", async () => {
    const text = `${map('a')}other: |\n  ---\n  x\n  ...\nlast: "----"\n`;
    const [{ object } = { object: undefined }, ...more] = await readDocuments(text);
    expect(object).toMatchObject({ other: '---\nx\n...\n', last: '----' });
    expect(more).toEqual([]);
  });

  it('is refused with the line of each document that cannot be read', async () => {
    const text = `${map('a')}---\na: [1\nb: 2\n---\n${map('b')}---\n# no kind\napiVersion: v1\n---\nplain\n`;
    expect(await problems(text)).toEqual([
      expect.stringMatching(/^7: (?!.*\(\d+:\d+\))/),
      '15: this document has no kind',
      '17: this document has no apiVersion and no kind',
    ]);
    expect(await problems(`apiVersion: v1\nkind: List\nitems: [{ kind: X }]`)).toEqual([
      '1: item 1 of this document has no apiVersion',
    ]);
  });

  it('is read in slices, so that the page stays responsive, and until the signal ends it', async () => {
    const text = Array.from({ length: 2_000 }, (_, i) => map(`c-${i}`, `a: ${'x'.repeat(400)}`)).join('---\n');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const all = await readDocuments(text);
    clearInterval(timer);
    expect(all).toHaveLength(2_000);
    expect(all.at(-1)?.line).toBe(1_999 * 5);
    expect(turns).toBeGreaterThan(1);
    await expect(readDocuments(text, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });

  it.each(['日本語', 'עברית', 'العربية', '👩‍👩‍👧', 'a\u202Eb', '<img src=x onerror=alert(1)>', '__proto__', '{{x}}'])(
    'does not change %j',
    async (text) => {
      const [{ object } = { object: undefined }] = await readDocuments(
        `${map(text)}text: ${JSON.stringify(text)}\n? ${JSON.stringify(text)}\n: 1\n`,
      );
      expect(object?.metadata.name).toBe(text);
      expect(object?.text).toBe(text);
      expect(Object.prototype).not.toHaveProperty('polluted');
    },
  );
});

describe('a field', () => {
  it('is at its line, also in a later document and in a list', async () => {
    const text = `${map('a')}---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: { name: b }\n  spec:\n    ports:\n    - port: 1\n- apiVersion: v1\n  kind: Pod\n  metadata: { name: c }\n`;
    const [, service, pod] = await readDocuments(text);
    if (!service || !pod) throw new Error('not read');
    expect(await lineOfField(service, 'spec.ports[0].port')).toBe(14);
    expect(await lineOfField(service, '.spec.replicas')).toBe(12);
    expect(await lineOfField(pod, '')).toBe(15);
  });

  it('of a huge document is at its beginning', async () => {
    const [huge] = await readDocuments(`---\n# huge\n${map('a', `a: ${'x'.repeat(200_000)}`)}`);
    if (!huge) throw new Error('not read');
    expect(await lineOfField(huge, 'data.a')).toBe(3);
  });
});
