/** Text for a person at a terminal; plain where there is none. */
export interface Output {
  step(title: string): void;
  line(text: string): void;
}

export function terminalOutput(stream: NodeJS.WriteStream): Output {
  const colours = stream.isTTY && stream.hasColors();
  const style = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  let steps = 0;
  return {
    step(title) {
      steps += 1;
      stream.write(`\n${style(36, `${steps}.`)} ${style(1, title)}\n`);
    },
    line: (text) => void stream.write(`   ${text}\n`),
  };
}
