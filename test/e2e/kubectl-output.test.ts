/** `kindforge get` prints the same as the real kubectl: templates, custom columns and sorted lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, kubectlFor } from '../support/kubectl.js';
import { type ObjectCommands, startObjectCommands } from '../support/object-commands.js';

describe.skipIf(!hasKubectl)('kindforge get prints the same as kubectl (skipped if it is not installed)', () => {
  let commands: ObjectCommands;
  let kubectl: Kubectl;
  beforeAll(async () => {
    commands = await startObjectCommands();
    kubectl = kubectlFor(commands.server.url);
  });
  afterAll(async () => {
    kubectl?.close();
    await commands?.stop();
  });

  it.each([
    ['services', '{.items[*].metadata.name}'],
    ['services', '{range .items[*]}{.metadata.name}{"\\t"}{.spec.ports[*].port}{"\\n"}{end}'],
    ['services', "{range .items[*]}{.metadata.name}{'='}{range .spec.ports[*]}{.port},{end}{'\\n'}{end}"],
    ['services', '{.items[?(@.metadata.name=="db")].spec.ports[0].port}'],
    ['services', '{.items[?(@.spec.ports[0].port>1000)].metadata.name}'],
    ['services', '{.items[?(@.spec.selector)].metadata.name}'],
    ['services', '{.items[0:2].metadata.name} and {.items[-1:].metadata.name}'],
    ['services', "{.items[*]['metadata.name', 'spec.type']}"],
    ['services', '{.items[0,2].metadata.name}'],
    ['services', '{..port}'],
    ['services', '{.items[0].spec.none}|{.none}|'],
    ['services', '{.kind} {.apiVersion} {.metadata}'],
    ['services web-10', '{.metadata.name}: {.spec.ports}'],
    ['services web-10', '{.metadata.annotations}'],
    ['services web-10', '{.metadata.annotations.example\\.com/note}'],
    ['services web-10', "{.metadata.annotations['example\\.com/note']}"],
    ['services web-10', '{.spec.selector}'],
    ['services web-10', '{@.spec.ports[1].name} {$.spec.ports[1].name}'],
    ['services web-10', 'plain .metadata.name'],
    ['services web-10', '.metadata.name'],
    ['services web-10', '{"\\""}{\'}\'}{"a\\\\b"}'],
    ['services web-10', '{ .metadata.name }'],
    ['services web-10 db', '{.items[*].metadata.name}'],
    ['configmaps full', '{.data.a\\.b} {.data.c}'],
    ['services/db configmaps/full', '{.items[*].kind}'],
  ])('%s by the template %s', async (words, template) => {
    const theirs = await kubectl.run('get', ...words.split(' '), '-o', `jsonpath=${template}`);
    expect({ out: await commands.get(words, { output: `jsonpath=${template}` }) }).toEqual({ out: theirs.out });
    expect(theirs.err).toBe('');
  });

  it.each([
    ['services', 'NAME:.metadata.name,PORTS:.spec.ports[*].port,APP:.metadata.labels.app', []],
    ['services', 'N:metadata.name,Type:{.spec.type},SELECTOR:.spec.selector,ports:{spec.ports}', []],
    ['services', 'A:.a,B:.metadata.annotations', ['--no-headers']],
    ['services web-10 db', 'NAME:.metadata.name,FIRST:.spec.ports[0].name', []],
    ['services', 'NAME:.metadata.name,RANGE:.spec.ports[0:1].port', ['--sort-by', '.spec.ports[0].port']],
    ['configmaps', 'NAME:.metadata.name,DATA:.data', ['--field-selector', 'metadata.name=empty']],
  ])('%s in the columns %s %j', async (words, columns, flags) => {
    const theirs = await kubectl.run('get', ...words.split(' '), '-o', `custom-columns=${columns}`, ...flags);
    const ours = await commands.get(words, {
      output: `custom-columns=${columns}`,
      ...(flags[0] === '--no-headers' ? { headers: false } : {}),
      ...(flags[0] === '--sort-by' ? { sortBy: flags[1] } : {}),
      ...(flags[0] === '--field-selector' ? { fieldSelector: flags[1] } : {}),
    });
    expect({ out: ours }).toEqual({ out: theirs.out.replace(/ +$/gm, '') });
  });

  it.each([
    '.metadata.name',
    'metadata.name',
    '{.spec.ports[0].port}',
    '.metadata.labels.weight',
    '.spec.clusterIP',
    '.metadata.creationTimestamp',
  ])('a list sorted by %s', async (path) => {
    const theirs = await kubectl.run('get', 'services', '-o', 'name', '--sort-by', path);
    const names = (text: string): string => text.replaceAll('service/', '').replaceAll('services/', '');
    const ours = names(await commands.get('services', { output: 'name', sortBy: path }));
    expect(ours).toBe(names(theirs.out));
    expect((await commands.get('services', { sortBy: path, headers: false })).replace(/ .*$/gm, '')).toBe(ours);
  });

  it.each([
    ['jsonpath={.a', 'a brace is not closed'],
    ['jsonpath={end}', 'without a {range}'],
    ['jsonpath={.a[}', 'unterminated array'],
    ['jsonpath=', 'needs a value'],
    ['custom-columns=NAME', 'is not a heading with a path'],
    ['custom-columns=', 'needs a value'],
    ['jsonpth={.a}', 'did you mean `jsonpath`?'],
  ])('a refusal of -o %s', async (output, says) => {
    expect((await kubectl.run('get', 'services', '-o', output)).code).not.toBe(0);
    const said = await commands.get('services', { output });
    expect(said).toContain(says);
    expect(said).toMatch(/^kindforge: .*\n {2}→ /);
  });
});
