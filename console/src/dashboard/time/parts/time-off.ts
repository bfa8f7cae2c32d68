/** What a page of the room says while there is no site. */
export const TIME_OFF = {
  title: 'Working time is off',
  text: 'The first site turns it on for this environment. People then clock in with their phones, and nobody can edit what they did: a correction needs a yes from the person and one from the company. Only members with a right over hours see the attendance of others here. API keys that read attendance keep reading it. They are listed once the site is created.',
} as const;
