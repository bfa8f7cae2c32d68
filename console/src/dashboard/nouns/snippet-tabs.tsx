import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Language, WrittenRequest } from '../../snippets/snippets';
import { snippets } from '../../snippets/snippets';
import { Code } from '../../ui/code/code';
import { CopyButton } from '../../ui/forms/copy';
import { Panel } from '../../ui/layout/panel';
import style from './snippet-tabs.module.css';

const LANGUAGES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
};
const ORDER = Object.keys(LANGUAGES) as readonly Language[];

/** The request as code. It reads the key from a variable, so that it can be pasted anywhere. */
export function SnippetTabs({ request }: { readonly request: WrittenRequest }) {
  const [language, setLanguage] = useState<Language>('curl');
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();
  const code = snippets(request)[language];
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const at = (ORDER.indexOf(language) + by + ORDER.length) % ORDER.length;
    setLanguage(ORDER[at] as Language);
    tabs.current?.querySelectorAll('button')[at]?.focus();
  };
  return (
    <Panel
      flush
      aria-label="The request as code"
      bar={
        <>
          <div className={style.tabs} role="tablist" aria-label="Language" ref={tabs}>
            {ORDER.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`${id}-${name}`}
                aria-selected={name === language}
                aria-controls={`${id}-code`}
                tabIndex={name === language ? 0 : -1}
                onClick={() => setLanguage(name)}
                onKeyDown={onKeyDown}
              >
                {LANGUAGES[name]}
              </button>
            ))}
          </div>
          {/* Copied code is another one after a change. */}
          <CopyButton key={code} text={code} />
        </>
      }
    >
      <div id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${language}`}>
        <Code label={`The request in ${LANGUAGES[language]}`} language={language}>
          {code}
        </Code>
      </div>
    </Panel>
  );
}
