import '../ui/theme/theme.css';
import './loading.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Clock } from '../ui/lists/time';
import { serverNow } from '../ui/server-time';
import { WordsContext } from '../ui/words';
import { App } from './app';
import { takeReturned } from './flow/returned';
import { language, locale, t } from './language/strings';
import { readPageData, uidOf } from './page-data';

const data = readPageData(document.querySelector('#page-data')?.textContent);
const uid = data === undefined ? uidOf(location.pathname) : undefined;
// Before anything else, because the address may contain a secret.
const returned = uid === undefined ? undefined : takeReturned(uid);

document.documentElement.lang = language;
const words = { ...t.shared, locale };

const root = document.querySelector('#root') as HTMLElement;
root.replaceChildren();
createRoot(root).render(
  <StrictMode>
    <WordsContext value={words}>
      <Clock value={serverNow}>
        <App data={data} uid={uid} returned={returned} />
      </Clock>
    </WordsContext>
  </StrictMode>,
);
