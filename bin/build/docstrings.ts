/** Removes comments that readers of the package do not see. Editors show the docstrings in declarations. */
import ts from 'typescript';

/**
 * Removes docstrings from a module, except the sentence about the file: they are a twentieth of the package. Keeps
 * comments with `//`, which say why code is as it is.
 */
export function withoutDocstrings(text: string): string {
  const removed = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
      const line = text.lastIndexOf('\n', pos);
      const isAlone = text.slice(line, pos).trim() === '' && text.startsWith('\n', end);
      if (line >= 0 && isAlone && text.startsWith('/**', pos)) removed.set(line, end);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2022));
  let from = 0;
  const kept = [...removed]
    .sort(([a], [b]) => a - b)
    .map(([line, end]) => {
      const part = text.slice(from, line);
      from = end;
      return part;
    });
  return kept.join('') + text.slice(from);
}

/** Removes the sentence about the file from declarations. Editors never show it. */
export function withoutHead(text: string): string {
  return text.replace(/^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=import |export (?:type )?[{*]|\/\*\*)/, '');
}
