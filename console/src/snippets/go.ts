import { doubleQuoted, JSON_SYNTAX, literal } from './literal';
import { addressOf, headersOf, KEY_VARIABLE, ORIGIN_VARIABLE, type WrittenRequest } from './request';

/** A whole program with the standard library, because Go doesn't compile with an import that is missing or not used. */
export function go(request: WrittenRequest): string {
  const { method, body, origin, needsKey = true } = request;
  const address = addressOf(request);
  const url =
    origin === undefined
      ? `os.Getenv("${ORIGIN_VARIABLE}")+${doubleQuoted(address)}`
      : doubleQuoted(origin + address);
  const usesOs = needsKey || origin === undefined;
  const imports = [
    'fmt',
    'io',
    'log',
    'net/http',
    ...(usesOs ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const headers = headersOf(request).map(
    ([name, value]) => `request.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value.toWellFormed())})`,
  );
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${raw(literal(body, JSON_SYNTAX))})`]),
    `\trequest, err := http.NewRequest("${method}", ${url}, ${body === undefined ? 'nil' : 'body'})`,
    ...FATAL,
    ...(needsKey ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}"))`] : []),
    ...headers.map((header) => `\t${header}`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...FATAL,
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    ...FATAL,
    '\tfmt.Println(response.Status, string(text))',
    '}',
  ].join('\n');
}

const FATAL = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

/** JSON as a raw string, which can't contain a backtick. */
const raw = (json: string): string => `\`${json.replaceAll('`', '\\u0060')}\``;
