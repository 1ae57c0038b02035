/** Draws the content of a terminal as an animated SVG. Commands appear letter by letter, and output line by line. */

/** A part of a recording: a command or comment, or lines of output. */
export type Step = { readonly typed: string } | { readonly printed: readonly string[] };

/** Size of the terminal, pixels and columns. */
const line = 19;
const letter = 7.8;
const columns = 104;

/** The times of the animation, seconds. */
const perLetter = 0.035;
const perLine = 0.09;
const rest = 1.2;

/** Draws a recording. Readers who prefer no motion see its end. */
export function drawRecording(title: string, steps: readonly Step[]): string {
  const lines: string[] = [];
  let at = 0.5;
  const add = (text: string, kind: string, style: string): void => {
    const y = 54 + lines.length * line;
    lines.push(`<text x="20" y="${y}" class="${kind}" style="${style}">${escaped(text)}</text>`);
  };
  for (const step of steps) {
    if ('typed' in step) {
      const seconds = step.typed.length * perLetter;
      add(step.typed, step.typed.startsWith('#') ? 'note' : 'typed', typing(step.typed.length, seconds, at));
      at += seconds + rest / 2;
    } else {
      for (const whole of step.printed) {
        for (const text of wrapped(whole)) add(text, kindOf(whole), `animation-delay:${at.toFixed(2)}s`);
        at += perLine;
      }
      at += rest;
    }
  }
  const [width, height] = [Math.ceil(40 + columns * letter), 54 + lines.length * line];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>\n${rules}\n</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    '<circle cx="22" cy="19" r="5"/><circle cx="40" cy="19" r="5"/><circle cx="58" cy="19" r="5"/>',
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** The style has the colours of a dark terminal, for light and for dark pages. */
const rules = `rect{fill:#14181d;stroke:#39424d}circle{fill:#39424d}
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#dbe1e7;animation:show 1ms linear both}
.typed,.note{animation:type var(--seconds) steps(var(--letters)) both}
.typed{fill:#7ee2a8;font-weight:bold}.note{fill:#8fbcff}.mistake{fill:#ff9d94}
@keyframes show{from{opacity:0}to{opacity:1}}
@keyframes type{from{clip-path:inset(0 100% 0 0)}to{clip-path:inset(0 0 0 0)}}
@media (prefers-reduced-motion:reduce){text,.typed,.note{animation:none}}`;

const typing = (letters: number, seconds: number, at: number): string =>
  `--seconds:${seconds.toFixed(2)}s;--letters:${letters};animation-delay:${at.toFixed(2)}s`;

const kindOf = (text: string): string => (/ KF\d+ |^\d+ errors? in|^[ |]*\^+$/.test(text) ? 'mistake' : 'printed');

/** Breaks a line that is too wide, as a terminal does. */
const wrapped = (text: string): readonly string[] =>
  text === '' ? [''] : (text.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? []);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
