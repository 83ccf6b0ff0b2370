#pragma once
// More patience than Qt's five seconds, for a machine with other work. Nobody waits once the condition holds.
// The headers QTest and QtTest of this folder, which is searched before Qt's, include it after Qt's own.

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), 60000)
#define QTRY_VERIFY2(expression, message) QTRY_VERIFY2_WITH_TIMEOUT((expression), message, 60000)
#define QTRY_COMPARE(expression, expected) QTRY_COMPARE_WITH_TIMEOUT((expression), expected, 60000)
