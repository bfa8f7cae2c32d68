import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What may follow the words typed so far. */
interface Place {
  /** `tenants set-plan`; empty for the program itself. */
  readonly path: string;
  readonly isGroup: boolean;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
}

/** Every command with its subcommands, the choices of its operands, and its options. */
function placesOf(command: Command, path = ''): Place[] {
  const subcommands = command.commands.map((sub) => ({ word: sub.name(), summary: sub.summary() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, summary: description })),
  );
  const options = [
    ...command.options.filter(({ hidden }) => !hidden),
    { long: '--help', description: 'show help' },
  ]
    .map(({ long, description }) => ({ word: long ?? '', summary: description }))
    .filter(({ word }) => word !== '');
  const below = command.commands.flatMap((sub) => placesOf(sub, `${path} ${sub.name()}`.trim()));
  return [
    { path, isGroup: command.commands.length > 0, words: [...subcommands, ...choices, ...options] },
    ...below,
  ];
}

/** Names, words and summaries are our own: letters, digits, dashes; a summary may hold an apostrophe. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A script that knows every command, so that a key press starts no Node. */
export function scriptFor(shell: Shell, program: Command): string {
  // The longest path first: the first that fits is the nearest.
  const places = placesOf(program).sort((left, right) => right.path.length - left.path.length);
  return SCRIPTS[shell](places).trimEnd();
}

/** A group has nothing to say once one of its commands was typed. */
const fishLines = ({ path, isGroup, words }: Place) =>
  words.map(({ word, summary }) => {
    const here = quoted(`__svc_at ${isGroup ? 'group' : 'operands'} "${path}"`);
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-fa ${word}`;
    return `complete -c svc -n ${here} ${what} -d ${quoted(summary)}`;
  });

const pattern = ({ path }: Place) => (path === '' ? '*' : `'${path}'|'${path} '*`);

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} given= word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || given="\${given:+$given }$word"
  done
  case $given in
${places.map((place) => `    ${pattern(place)}) words=${quoted(place.words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`,
  zsh: (places) => `
_svc() {
  local given= word
  local -a described
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || given="\${given:+$given }$word"
  done
  case $given in
${places
  .map(
    (place) =>
      `    ${pattern(place)}) described=(${place.words.map(({ word, summary }) => quoted(`${word}:${summary}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'svc' described
  _files
}
compdef _svc svc
`,
  fish: (places) => `
function __svc_at
  set -l given
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a given $word
  end
  test "$given" = "$argv[2]"; and return 0
  test $argv[1] = operands; and string match -q -- "$argv[2] *" "$given"
end
${places.flatMap(fishLines).join('\n')}
`,
};
