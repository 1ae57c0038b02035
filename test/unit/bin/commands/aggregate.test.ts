import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtCommand } from '../../../support/built-command.js';
import { nativeResource } from '../../../support/kinds.js';
import { testFolder } from '../../../support/scratch-folder.js';

const aggregate = (cwd: string, ...flags: readonly string[]): string => {
  const args = [builtCommand(), 'aggregate', ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd });
  return `${stdout}${stderr}(${status})`;
};

/** Makes the folder of a project with one definition. */
function project(naming: 'platform' | 'kubernetes'): string {
  const widgets = nativeResource({ kind: 'Widget', group: 'shop.example.com' });
  const folder = testFolder({
    'My_Shop/kindforge.config.yaml': `naming: ${naming}\n`,
    'My_Shop/schemas/widgets.yaml': JSON.stringify(widgets),
  });
  return join(folder, 'My_Shop');
}

describe('kindforge aggregate', () => {
  it('prints the objects of a project, named after its folder', { timeout: 60_000 }, () => {
    const printed = aggregate(project('kubernetes'), '--manifests');
    expect(printed).toMatch(/kind: APIService\n.*name: v1.shop.example.com\n.*\(0\)$/s);
    expect(printed).toContain('image: my-shop:latest');
    expect(printed).not.toContain('kind: Namespace\n');
  });

  it('reports missing and wrong parts', { timeout: 60_000 }, () => {
    expect(aggregate(project('kubernetes'))).toBe('kindforge: nothing to print; add --manifests\n(2)');
    expect(aggregate(project('platform'), '--manifests')).toBe(
      'kindforge: kindforge.config.yaml has naming: platform, and clusters know the names of Kubernetes only; set naming: kubernetes\n(2)',
    );
    const none = aggregate(testFolder(), '--manifests', '--schemas', resolve('examples/none'));
    expect(none).toMatch(/examples\/none.*\([12]\)$/s);
  });
});
