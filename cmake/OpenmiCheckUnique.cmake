# Fails when LIBRARY still exports a unique symbol: such a library stays in memory after it was closed. Says so when it has
# thread_local objects with destructors: it then stays until the threads that used them have ended.
execute_process(COMMAND ${NM} -D ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "[0-9a-f]+ u [^\n]+" unique "${symbols}")
if(unique)
  message(FATAL_ERROR "${LIBRARY}: expected no unique symbol, found '${unique}'; compile with -fno-gnu-unique and link with "
                      "the version script of openmi_add_component")
endif()
if(symbols MATCHES "U __cxa_thread_atexit")
  message(STATUS "${LIBRARY}: has thread_local objects with destructors; it can only be unloaded after the threads that used "
                 "them have ended")
endif()
