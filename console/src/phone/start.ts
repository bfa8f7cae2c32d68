import '../ui/theme/theme.css';
import { chooseLanguage } from '../ui/choose-language';
import { loadTexts } from './language/load';

// Small, so that a person on a slow network sees the host and what happens before the page itself is loaded. The page replaces it.

const TEXTS = {
  en: {
    code: 'Reading the code',
    page: 'Opening',
    failed: 'The page could not be loaded. Check the connection and reload it.',
  },
  de: {
    code: 'Der Code wird gelesen',
    page: 'Wird geöffnet',
    failed: 'Die Seite konnte nicht geladen werden. Prüfen Sie die Verbindung und laden Sie die Seite neu.',
  },
  es: {
    code: 'Leyendo el código',
    page: 'Abriendo',
    failed: 'No se ha podido cargar la página. Comprueba la conexión y recarga la página.',
  },
};

const { language } = chooseLanguage(navigator.languages);
const texts = TEXTS[language];
document.documentElement.lang = language;

function show(selector: string, text: string): void {
  const element = document.querySelector(`#loading ${selector}`);
  if (element) element.textContent = text;
}

show('h1', location.host);
show('p', location.hash === '' ? texts.page : texts.code);

// The code stays in the address until the page removes it, so that reloading works.
Promise.all([import('./main'), loadTexts[language]()])
  .then(([{ open }, loaded]) => open(loaded))
  .catch(() => {
    show('p', texts.failed);
    document.querySelector('#loading i')?.remove();
  });
