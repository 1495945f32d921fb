// A course site whose pages hold lessons of the playground. The unpacked release lies in static/attention/, so everything comes from the
// site itself:
//   npm install && npm start

// Where the site stands on its server: '/course/' for https://example.org/course/.
const baseUrl = '/';

export default {
  title: 'A course with attention',
  url: 'https://example.org',
  baseUrl,
  scripts: [{ src: `${baseUrl}attention/attention-playground.js`, type: 'module' }],
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
  // Light or dark as the reader's browser, like the frame.
  themeConfig: { colorMode: { respectPrefersColorScheme: true } },
};
