# Libraries beside LLVM. Z3 proves rules; without it Prove refuses to run and its
# tests are skipped. CBC solves integer linear programs; without it, graphs are
# extracted only by local search. jemalloc makes compilation faster. CUDA is only
# ever loaded at run time: the toolkit is looked up for the tests and for
# TENON_REQUIRE_CUDA.

find_path(TENON_Z3_INCLUDE_DIR z3.h)
find_library(TENON_Z3_LIBRARY z3)
if(TENON_Z3_INCLUDE_DIR AND TENON_Z3_LIBRARY)
  set(TENON_HAVE_Z3 TRUE)
  add_library(tenon_z3 INTERFACE)
  target_include_directories(tenon_z3 SYSTEM INTERFACE ${TENON_Z3_INCLUDE_DIR})
  target_link_libraries(tenon_z3 INTERFACE ${TENON_Z3_LIBRARY})
  target_compile_definitions(tenon_z3 INTERFACE TENON_HAVE_Z3=1)
  message(STATUS "Tenon: Z3 in ${TENON_Z3_LIBRARY}")
else()
  set(TENON_HAVE_Z3 FALSE)
  add_library(tenon_z3 INTERFACE)
  message(STATUS "Tenon: no Z3 (package libz3-dev): rules cannot be proved")
endif()

find_path(TENON_CBC_INCLUDE_DIR coin/Cbc_C_Interface.h)
find_library(TENON_CBC_LIBRARY CbcSolver)
add_library(tenon_cbc INTERFACE)
if(TENON_CBC_INCLUDE_DIR AND TENON_CBC_LIBRARY)
  target_include_directories(tenon_cbc SYSTEM INTERFACE ${TENON_CBC_INCLUDE_DIR})
  target_link_libraries(tenon_cbc INTERFACE ${TENON_CBC_LIBRARY})
  target_compile_definitions(tenon_cbc INTERFACE TENON_HAVE_CBC=1)
  message(STATUS "Tenon: CBC in ${TENON_CBC_LIBRARY}")
else()
  message(STATUS "Tenon: no CBC (package coinor-libcbc-dev): extraction is not "
                 "proved optimal")
endif()

# Compilers allocate many small objects. Sanitizers bring their own allocator.
find_library(TENON_JEMALLOC_LIBRARY jemalloc)
add_library(tenon_allocator INTERFACE)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "Tenon: the sanitizers' allocator")
elseif(TENON_JEMALLOC_LIBRARY)
  target_link_libraries(tenon_allocator INTERFACE ${TENON_JEMALLOC_LIBRARY})
  message(STATUS "Tenon: jemalloc in ${TENON_JEMALLOC_LIBRARY}")
else()
  message(STATUS "Tenon: no jemalloc (package libjemalloc-dev): compilation "
                 "takes up to a tenth longer")
endif()

set(TENON_HAVE_CUDA FALSE)
if(TENON_ENABLE_CUDA)
  find_path(TENON_CUDA_INCLUDE_DIR cuda.h
            HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT /usr/local/cuda
            PATH_SUFFIXES include)
  find_program(TENON_PTXAS ptxas
               HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT /usr/local/cuda
               PATH_SUFFIXES bin)
  if(TENON_CUDA_INCLUDE_DIR AND TENON_PTXAS)
    set(TENON_HAVE_CUDA TRUE)
    message(STATUS "Tenon: CUDA toolkit, ptxas in ${TENON_PTXAS}")
  else()
    message(STATUS "Tenon: no CUDA toolkit: GPU code is emitted as PTX only")
  endif()
endif()
if(TENON_REQUIRE_CUDA AND NOT TENON_HAVE_CUDA)
  message(FATAL_ERROR "TENON_REQUIRE_CUDA is set, but no CUDA toolkit was "
                      "found; expected cuda.h and ptxas under "
                      "CUDAToolkit_ROOT or /usr/local/cuda")
endif()
