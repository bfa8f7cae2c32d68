import { useEffect, useMemo, useRef, useState } from 'react';
import { chooseLanguage, type Language } from '../ui/choose-language';
import { Clock } from '../ui/lists/time';
import { serverNow } from '../ui/server-time';
import { WordsContext } from '../ui/words';
import { EnterCode } from './enter-code';
import { Frame } from './frame';
import { forgetSession, keepSession, keptSession } from './kept';
import { languageOfSite, loadLanguage, type Spoken } from './language/load';
import { SpokenContext } from './language/spoken';
import { Message } from './message';
import { MonthsOf } from './month/months-of';
import { faultOf, type Inspection, InspectionService, openInspection } from './service';

type Scene =
  | { readonly at: 'reading' | 'noLink' | 'ended' }
  | { readonly at: 'code'; readonly token: string }
  | { readonly at: 'open'; readonly inspection: Inspection; readonly service: InspectionService };

/** Somebody with a link and a code reads the hours of a site. Without both, the page knows nothing. */
export function App({ token }: { readonly token: string | undefined }) {
  const [scene, setScene] = useState<Scene>(() => beginWith(token));
  const [spoken, speak] = useLanguage();
  const show = async (inspection: Inspection, session: string) => {
    await speak(languageOfSite(inspection.site.country), 'unless chosen');
    setScene({ at: 'open', inspection, service: new InspectionService(session) });
  };
  const end = () => {
    forgetSession();
    setScene({ at: 'ended' });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the page was loaded again
  useEffect(() => {
    const kept = keptSession();
    if (scene.at === 'reading' && kept !== undefined)
      void new InspectionService(kept).current().then(
        (inspection) => show(inspection, kept),
        (error: unknown) => (faultOf(error) === 'refused' ? end() : setScene({ at: 'noLink' })),
      );
    // Another link can be opened in the same tab, which only changes the fragment.
    const again = () => location.reload();
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, []);
  const words = useMemo(() => spoken && { ...spoken.texts.shared, locale: spoken.language }, [spoken]);
  if (spoken === undefined || words === undefined) return null;
  const enter = async (code: string) => {
    if (scene.at !== 'code') return;
    const { inspection, session } = await openInspection(scene.token, code);
    keepSession(session.token);
    await show(inspection, session.token);
  };
  return (
    <SpokenContext value={spoken}>
      <WordsContext value={words}>
        <Clock value={serverNow}>
          <Frame onLanguage={(language) => void speak(language, 'chosen')}>
            {scene.at === 'code' && <EnterCode onEnter={enter} />}
            {(scene.at === 'noLink' || scene.at === 'ended') && <Message of={scene.at} />}
            {scene.at === 'open' && <MonthsOf {...scene} onEnded={end} />}
          </Frame>
        </Clock>
      </WordsContext>
    </SpokenContext>
  );
}

const beginWith = (token: string | undefined): Scene => {
  if (token !== undefined) return { at: 'code', token };
  return { at: keptSession() === undefined ? 'noLink' : 'reading' };
};

/** That of the browser until the site is known, and that of the site unless the reader has chosen another. */
function useLanguage() {
  const [spoken, setSpoken] = useState<Spoken>();
  const isChosen = useRef(false);
  const last = useRef<Language>(undefined);
  /** Resolves when the page is in that language. */
  const speak = async (language: Language, how: 'chosen' | 'unless chosen') => {
    if (how === 'unless chosen' && isChosen.current) return;
    isChosen.current = how === 'chosen';
    last.current = language;
    const loaded = await loadLanguage(language);
    if (last.current !== language) return;
    document.documentElement.lang = language;
    setSpoken(loaded);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => void speak(chooseLanguage(navigator.languages).language, 'unless chosen'), []);
  return [spoken, speak] as const;
}
