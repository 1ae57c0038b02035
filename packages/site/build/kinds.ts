/** Makes the reference of all kinds: a page for each kind, and one for each library of types that kinds share. */
import { referenceEmitter } from '../../../generator/emit/reference.js';
import type { Model } from '../../../generator/model/model.js';
import { anchorOf } from './links.js';

/** The page of a kind, without the examples. */
export interface KindPage {
  /** The group as it is written in a definition; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The address below `/kinds/`. */
  readonly address: string;
  readonly text: string;
}

/** A page that several kinds link to. */
export interface SharedPage {
  /** The address below `/kinds/`. */
  readonly address: string;
  readonly text: string;
}

export interface KindPages {
  readonly kinds: readonly KindPage[];
  readonly shared: readonly SharedPage[];
}

/** Takes the pages of the emitter `reference`, which has a page for each group, apart into kinds. */
export function kindPages(model: Model): KindPages {
  const groups = new Set(model.resources.map(({ group }) => group));
  const files = new Map(
    (referenceEmitter.emitModel?.(model) ?? []).map(({ path, content }) => [path, String(content)]),
  );
  const kinds = [...groups].flatMap((group) => kindsOf(group, files.get(`reference/${nameOf(group)}.md`) ?? ''));
  const libraries = [...files].filter(([path]) => path.startsWith('reference/types/'));
  return {
    kinds,
    shared: libraries.map(([path, text]) => ({
      address: path.replace(/^reference\/|\.md$/g, ''),
      text: text.replaceAll(/\]\(([\w.-]+)\.md#/g, '](/kinds/types/$1#'),
    })),
  };
}

/** Returns the name of a group for people. */
export const nameOf = (group: string): string => (group === '' ? 'core' : group);

/** Returns the pages of a group's kinds. Two resources of one kind, in different versions, share a page. */
function kindsOf(group: string, text: string): readonly KindPage[] {
  const pages = new Map<string, string[]>();
  for (const section of text.split(/^(?=## )/m).slice(1)) {
    const [, kind = ''] = /^## (\S+)/.exec(section) ?? [];
    pages.set(kind, [...(pages.get(kind) ?? []), sectionOf(section, kind)]);
  }
  return [...pages].map(([kind, sections]) => ({
    group,
    kind,
    address: `${nameOf(group)}/${anchorOf(kind)}`,
    text: `# ${kind}\n\nGroup \`${nameOf(group)}\`.\n\n${sections.join('\n')}`,
  }));
}

/** Makes the heading of a version that of a page's part, and its title short. */
const sectionOf = (section: string, kind: string): string =>
  section
    .replace(/^## .*\n\n?/, '')
    .replaceAll(new RegExp(`^### ${kind} `, 'gm'), '## ')
    .replaceAll(/\]\(types\/([\w.-]+)\.md#/g, '](/kinds/types/$1#');
