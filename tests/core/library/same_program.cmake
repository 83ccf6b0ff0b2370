# cmake -DPAGE=library.md -DPROGRAM=program.cpp -P same_program.cmake: fails unless the page shows exactly this program.
file(READ ${PAGE} page)
file(READ ${PROGRAM} program)
string(FIND "${page}" "```cpp\n${program}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show ${PROGRAM} as it is. Copy the program into its ```cpp block.")
endif()
